import type { JsonValue } from './json-text.ts';
import { hookCommand, type Launcher } from './launcher.ts';
import type { Part } from './part.ts';
import { withoutUndefined } from '../memory/without-undefined.ts';

/** One event that a client tells of, and how it is to tell of it. */
export interface HookEvent {
  readonly name: string;
  /** Which tools it is about, in the words of the client. Default: all. */
  readonly matcher?: string;
  /** The client goes on at once. Only where it takes no answer. */
  readonly isAsync?: true;
}

/** A regular expression that matches every name but these. */
const allBut = (names: readonly string[]): string => `^(?!(?:${names.join('|')})$)`;

/** Tools of Claude Code that say nothing worth keeping: they read, search, plan, or are our own. Each would cost the start of a process. */
const CLAUDE_TOOLS = allBut([
  'Read|Glob|Grep|LS|LSP|NotebookRead|WebFetch|WebSearch|ToolSearch|Skill|SlashCommand',
  'TodoRead|TodoWrite|Task(?:Create|Get|List|Output|Stop|Update)|BashOutput|Kill(?:Bash|Shell)|Monitor|ScheduleWakeup|Cron(?:Create|Delete|List)',
  '(?:Enter|Exit)Worktree|EnterPlanMode|WaitForMcpServers|SendMessage|ListMcpResources(?:Tool)?|ReadMcpResource(?:Dir)?(?:Tool)?',
  'mcp__(?:plugin_lore_)?lore__.*',
]);

/**
 * Claude Code (code.claude.com/docs/en/hooks). `PostToolUse` comes only after success, `PostToolUseFailure` otherwise (anthropics/claude-code#29799). `async` is
 * for commands only, and a client that ends kills what still runs: what ends a turn or a session is waited for. `http` hooks know no `async`, are not for
 * `SessionStart` (anthropics/claude-code#30170), and lose what happens while no server runs.
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

/** As Codex names them in hooks, without Lore's own. Its regular expressions know no look-ahead. */
const CODEX_TOOLS = '^(?:Bash|apply_patch|mcp__(?:[^l]|l[^o]|lo[^r]|lor[^e]|lore[^_]).*)$';

/**
 * Codex (developers.openai.com/codex/hooks). Failures come as `PostToolUse`, too (openai/codex#34289); it tells of no tools that read, and knows no `async`. Its
 * `SessionEnd` brings nothing that `Stop` has not.
 */
export const CODEX_EVENTS: readonly HookEvent[] = [
  { name: 'SessionStart' },
  { name: 'UserPromptSubmit' },
  { name: 'PostToolUse', matcher: CODEX_TOOLS },
  { name: 'PreCompact' },
  { name: 'SubagentStop' },
  { name: 'Stop' },
];

/** As Cursor names them; what its MCP servers offer begins with `MCP:`. */
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
 * VS Code (code.visualstudio.com/docs/agents/reference/hooks-reference) and Copilot on the command line, which read the same files. Copilot tells of
 * failures apart (github/copilot-sdk#1421); VS Code ignores names it does not know, and matchers.
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

/** Seconds after which a client should give up on a hook; ours ends in well under one. */
export const HOOK_SECONDS = 5;

interface Grouping {
  readonly command: string;
  readonly event: HookEvent;
  /** In the unit of the client. Default: seconds. */
  readonly timeout?: number;
}

/** A hook in the form that Claude Code brought in and others took over: a group of commands below an event. */
export function groupedHook({ command, event: { matcher, isAsync }, timeout = HOOK_SECONDS }: Grouping): JsonValue {
  return {
    ...withoutUndefined({ matcher }),
    hooks: [{ type: 'command', command, timeout, ...(isAsync && { async: true }) }],
  };
}

/** In the form of Cursor: nothing around the command. */
export function cursorForm({ command, event: { matcher } }: Grouping): JsonValue {
  return { command, timeout: HOOK_SECONDS, ...withoutUndefined({ matcher }) };
}

interface Client {
  readonly client: string;
  readonly launcher: Launcher;
  readonly platform: NodeJS.Platform;
  /** The form of one hook. Default: grouped. */
  readonly form?: (grouping: Grouping) => JsonValue;
}

/** The parts of a file of hooks. */
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
