import type { JsonValue } from './json-text.ts';
import { hookCommand, type Launcher } from './launcher.ts';
import type { Part } from './part.ts';
import { withoutUndefined } from '../memory/without-undefined.ts';

/** One event for which a client runs a hook. */
export interface HookEvent {
  readonly name: string;
  /** Matcher of tool names, in the client's syntax. Default: all tools. */
  readonly matcher?: string;
  /** The client does not wait for the hook. Only for events without output. */
  readonly isAsync?: true;
}

/** A regular expression that matches every name except these. */
const allBut = (names: readonly string[]): string => `^(?!(?:${names.join('|')})$)`;

/** All tools of Claude Code except those that read, search or plan, and our own: nothing of them is captured, and each call would start a process. */
const CLAUDE_TOOLS = allBut([
  'Read|Glob|Grep|LS|LSP|NotebookRead|WebFetch|WebSearch|ToolSearch|Skill|SlashCommand',
  'TodoRead|TodoWrite|Task(?:Create|Get|List|Output|Stop|Update)|BashOutput|Kill(?:Bash|Shell)|Monitor|ScheduleWakeup|Cron(?:Create|Delete|List)',
  '(?:Enter|Exit)Worktree|EnterPlanMode|WaitForMcpServers|SendMessage|ListMcpResources(?:Tool)?|ReadMcpResource(?:Dir)?(?:Tool)?',
  'mcp__(?:plugin_lore_)?lore__.*',
]);

/**
 * Claude Code (code.claude.com/docs/en/hooks). `PostToolUse` comes only after success, else `PostToolUseFailure` (anthropics/claude-code#29799).
 * Only command hooks can be `async`. Claude Code kills running hooks when it exits, so the hooks at the end of a turn or session are not async.
 * `http` hooks cannot be async, do not run for `SessionStart` (anthropics/claude-code#30170), and lose events while no server runs.
 */
export const CLAUDE_EVENTS: readonly HookEvent[] = [
  { name: 'SessionStart' },
  { name: 'UserPromptSubmit' },
  { name: 'PostToolUse', matcher: CLAUDE_TOOLS, isAsync: true },
  { name: 'PostToolUseFailure', matcher: CLAUDE_TOOLS, isAsync: true },
  { name: 'PreCompact', isAsync: true },
  { name: 'SubagentStop', isAsync: true },
  { name: 'Stop' },
  { name: 'StopFailure', isAsync: true },
  { name: 'SessionEnd' },
];

/** Codex tool names, without those of Lore. Its regular expressions have no look-ahead. */
const CODEX_TOOLS = '^(?:Bash|apply_patch|mcp__(?:[^l]|l[^o]|lo[^r]|lor[^e]|lore[^_]).*)$';

/**
 * Codex (developers.openai.com/codex/hooks). Failures also come as `PostToolUse` (openai/codex#34289). It runs no hooks for tools that read, and
 * has no `async`. Its `SessionEnd` adds nothing to `Stop`.
 */
export const CODEX_EVENTS: readonly HookEvent[] = [
  { name: 'SessionStart' },
  { name: 'UserPromptSubmit' },
  { name: 'PostToolUse', matcher: CODEX_TOOLS },
  { name: 'PreCompact' },
  { name: 'SubagentStop' },
  { name: 'Stop' },
];

/** Cursor tool names; those of MCP servers begin with `MCP:`. */
const CURSOR_TOOLS = 'Shell|Write|Edit|Delete|Task|MCP:';

/** Cursor (cursor.com/docs/hooks). */
export const CURSOR_EVENTS: readonly HookEvent[] = [
  { name: 'sessionStart' },
  { name: 'beforeSubmitPrompt' },
  { name: 'postToolUse', matcher: CURSOR_TOOLS },
  { name: 'postToolUseFailure', matcher: CURSOR_TOOLS },
  { name: 'afterAgentResponse' },
  { name: 'preCompact' },
  { name: 'subagentStop' },
  { name: 'stop' },
  { name: 'sessionEnd' },
];

/** Windsurf (docs.windsurf.com, cascade/hooks). */
export const WINDSURF_EVENTS: readonly HookEvent[] = [
  'pre_user_prompt',
  'post_run_command',
  'post_write_code',
  'post_mcp_tool_use',
  'post_cascade_response',
].map((name) => ({ name }));

/**
 * VS Code (code.visualstudio.com/docs/agents/reference/hooks-reference) and Copilot CLI, which read the same files. Copilot has a separate event
 * for failures (github/copilot-sdk#1421); VS Code ignores unknown names and matchers.
 */
export const VSCODE_EVENTS: readonly HookEvent[] = [
  'SessionStart',
  'UserPromptSubmit',
  'PostToolUse',
  'PostToolUseFailure',
  'PreCompact',
  'SubagentStop',
  'Stop',
].map((name) => ({ name }));

const GEMINI_TOOLS = allBut([
  'read_file|read_many_files|list_directory|glob|grep_search|search_file_content|google_web_search|web_fetch|write_todos|get_internal_docs',
  'activate_skill|mcp_{1,2}lore_.*|lore__.*|memory_.*',
]);

/** Gemini CLI (google-gemini/gemini-cli, docs/hooks/reference.md). */
export const GEMINI_EVENTS: readonly HookEvent[] = [
  { name: 'SessionStart' },
  { name: 'BeforeAgent' },
  { name: 'AfterTool', matcher: GEMINI_TOOLS },
  { name: 'AfterAgent' },
  { name: 'PreCompress' },
  { name: 'SessionEnd' },
];

/** Timeout of a hook in the client, in seconds. Ours ends well within one second. */
export const HOOK_SECONDS = 5;

interface Grouping {
  readonly command: string;
  readonly event: HookEvent;
  /** In the unit that the client expects. Default: seconds. */
  readonly timeout?: number;
}

/** A hook in the format of Claude Code, which other clients also use: a group of commands below an event. */
export function groupedHook({ command, event: { matcher, isAsync }, timeout = HOOK_SECONDS }: Grouping): JsonValue {
  return {
    ...withoutUndefined({ matcher }),
    hooks: [{ type: 'command', command, timeout, ...(isAsync && { async: true }) }],
  };
}

/** A hook in the format of Cursor: the command alone. */
export function cursorForm({ command, event: { matcher } }: Grouping): JsonValue {
  return { command, timeout: HOOK_SECONDS, ...withoutUndefined({ matcher }) };
}

interface Client {
  readonly client: string;
  readonly launcher: Launcher;
  readonly platform: NodeJS.Platform;
  /** Builds one hook. Default: grouped. */
  readonly form?: (grouping: Grouping) => JsonValue;
}

/** The parts of a hooks file: one per event. */
export function hookParts(events: readonly HookEvent[], { client, launcher, platform, form = groupedHook }: Client): Part[] {
  return events.map((event): Part => {
    const command = hookCommand(launcher, { event: event.name, client }, platform);
    return {
      kind: 'hook',
      id: `hook ${event.name}`,
      path: ['hooks', event.name],
      value: form({ command, event }),
      event: event.name,
      client,
    };
  });
}
