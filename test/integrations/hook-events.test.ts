import { expect, it } from 'vitest';
import { eventNamed } from '../../src/hooks/event-names.ts';
import { TARGET_NAMES, type TargetName } from '../../src/integrations/target.ts';
import { clientHome } from './client-home.ts';

interface Documented {
  /** Every event that the client has, by its documentation. */
  readonly events: readonly string[];
  /** What capture could read and setup leaves out, and why. */
  readonly leftOut: Readonly<Record<string, string>>;
}

const TOLD_TWICE = 'the same is told by postToolUse or postToolUseFailure';

const words = (text: string): string[] => text.trim().split(/\s+/);

/** OpenCode has no list of hooks: test/integrations/opencode-plugin.test.ts. */
const CLIENTS: Readonly<Record<string, Documented>> = {
  // code.claude.com/docs/en/hooks
  claude: {
    events: words(`
      SessionStart Setup UserPromptSubmit UserPromptExpansion PreToolUse PermissionRequest PermissionDenied
      PostToolUse PostToolUseFailure PostToolBatch Notification SubagentStart SubagentStop TaskCreated TaskCompleted
      Stop StopFailure TeammateIdle InstructionsLoaded ConfigChange CwdChanged FileChanged WorktreeCreate
      WorktreeRemove PreCompact PostCompact Elicitation ElicitationResult SessionEnd
    `),
    leftOut: {},
  },
  // cursor.com/docs/hooks
  cursor: {
    events: words(`
      sessionStart sessionEnd preToolUse postToolUse postToolUseFailure subagentStart subagentStop
      beforeShellExecution afterShellExecution beforeMCPExecution afterMCPExecution beforeReadFile afterFileEdit
      beforeSubmitPrompt preCompact stop afterAgentResponse afterAgentThought
    `),
    leftOut: { afterShellExecution: TOLD_TWICE, afterMCPExecution: TOLD_TWICE, afterFileEdit: TOLD_TWICE },
  },
  // docs.windsurf.com/windsurf/cascade/hooks: the payload of a command has neither output nor exit code, so it tells of no failure.
  windsurf: {
    events: words(`
      pre_read_code post_read_code pre_write_code post_write_code pre_run_command post_run_command pre_mcp_tool_use
      post_mcp_tool_use pre_user_prompt post_cascade_response post_setup_worktree
    `),
    leftOut: { post_read_code: 'nothing is kept of files that are read' },
  },
  // code.visualstudio.com/docs/agents/reference/hooks-reference, and github/copilot-sdk#1421 for the failure
  vscode: {
    events: words(`
      SessionStart UserPromptSubmit PreToolUse PostToolUse PostToolUseFailure PreCompact SubagentStart SubagentStop
      Stop
    `),
    leftOut: {},
  },
  // developers.openai.com/codex/hooks; `PostToolUseFailure` is a name that never fires (openai/codex#34289)
  codex: {
    events: words(`
      SessionStart SubagentStart UserPromptSubmit PreToolUse PermissionRequest PostToolUse PreCompact PostCompact
      SubagentStop Stop SessionEnd
    `),
    leftOut: { SessionEnd: 'codex 0.169 has it; the end of each turn is read' },
  },
  // google-gemini/gemini-cli, docs/hooks/reference.md
  gemini: {
    events: words(`
      BeforeTool AfterTool BeforeAgent AfterAgent BeforeModel BeforeToolSelection AfterModel SessionStart SessionEnd
      Notification PreCompress
    `),
    leftOut: {},
  },
  // docs.github.com/copilot/reference/copilot-cli-reference/cli-hooks-reference, in the names that VS Code knows, too
  copilot: {
    events: words(`
      SessionStart SessionEnd UserPromptSubmit PreToolUse PostToolUse PostToolUseFailure PreCompact SubagentStart
      SubagentStop Stop ErrorOccurred
    `),
    leftOut: { SessionEnd: 'VS Code, which reads the same file, has none; the end of each turn is read' },
  },
};

/** Those that have no hooks, or none that are entries in a file. */
const WITHOUT: readonly TargetName[] = ['opencode', 'zed', 'cline', 'continue', 'claude-desktop'];

const hooksOf = async (target: string) => {
  await using home = await clientHome({ target: target as TargetName });
  return (await home.files()).flatMap(({ parts }) => parts.flatMap((part) => (part.kind === 'hook' ? [part] : [])));
};

it('every client has its events listed here, or has no hooks', () => {
  expect([...Object.keys(CLIENTS), ...WITHOUT].toSorted()).toEqual([...TARGET_NAMES].toSorted());
});

it.each(Object.entries(CLIENTS))('setup registers exactly the events of %s that capture reads', async (target, client) => {
  const registered = (await hooksOf(target)).map(({ event }) => event);
  const { events, leftOut } = client;
  const read = events.filter((name) => eventNamed(name) !== undefined && !Object.hasOwn(leftOut, name));
  expect(registered.toSorted()).toEqual(read.toSorted());
});

it.each([
  [
    'claude',
    ['Bash', 'Edit', 'Write', 'Task', 'mcp__github__create_issue', 'AskUserQuestion'],
    ['Read', 'Glob', 'Grep', 'LS', 'TodoWrite', 'WebSearch', 'TaskUpdate', 'WaitForMcpServers', 'CronList', 'mcp__lore__memory_save'],
  ],
  ['codex', ['Bash', 'apply_patch', 'mcp__github__create_issue', 'mcp__lorem__ipsum'], ['view_image', 'mcp__lore__memory_save']],
  ['cursor', ['Shell', 'Write', 'Task', 'MCP:create_issue'], ['Read', 'Grep']],
  [
    'gemini',
    ['run_shell_command', 'replace', 'write_file', 'mcp_github_issue'],
    ['read_file', 'glob', 'google_web_search', 'mcp_lore_memory_save'],
  ],
])('%s starts no hook for tools that are never captured', async (target, kept, leftOut) => {
  const matchers = (await hooksOf(target)).flatMap(({ value }) => {
    const { matcher } = value as { matcher?: string };
    return matcher === undefined ? [] : [new RegExp(matcher)];
  });
  expect(matchers.length).toBeGreaterThan(0);
  for (const matcher of matchers) {
    expect(kept.filter((tool) => !matcher.test(tool))).toEqual([]);
    expect(leftOut.filter((tool) => matcher.test(tool))).toEqual([]);
  }
});

it('Claude Code waits only for hooks with a result, and at the end of a turn and session', async () => {
  const waited = (await hooksOf('claude')).flatMap(({ event, value }) => {
    const [{ async: isAsync }] = (value as unknown as { hooks: [{ async?: boolean }] }).hooks;
    return isAsync === true ? [] : [event];
  });
  expect(waited).toEqual(['SessionStart', 'UserPromptSubmit', 'Stop', 'SessionEnd']);
});
