import { expect, it } from 'vitest';
import { eventNamed } from '../../src/hooks/event-names.ts';
import type { TargetName } from '../../src/integrations/target.ts';
import { clientHome } from './client-home.ts';

interface Documented {
  /** Every event that the client has, by its documentation. */
  readonly events: readonly string[];
  /** What capture could read and setup leaves out, and why. */
  readonly leftOut: Readonly<Record<string, string>>;
}

const SUBAGENT = 'what a subagent answers goes to the main one, whose answer is read';
const TOLD_TWICE = 'the same is told by postToolUse or postToolUseFailure';

const words = (text: string): string[] => text.trim().split(/\s+/);

/** OpenCode has no list of hooks: test/integrations/opencode-plugin.test.ts. */
const CLIENTS: Readonly<Record<Exclude<TargetName, 'opencode'>, Documented>> = {
  // code.claude.com/docs/en/hooks
  claude: {
    events: words(`
      SessionStart Setup UserPromptSubmit UserPromptExpansion PreToolUse PermissionRequest PermissionDenied
      PostToolUse PostToolUseFailure PostToolBatch Notification SubagentStart SubagentStop TaskCreated TaskCompleted
      Stop StopFailure TeammateIdle InstructionsLoaded ConfigChange CwdChanged FileChanged WorktreeCreate
      WorktreeRemove PreCompact PostCompact Elicitation ElicitationResult SessionEnd
    `),
    leftOut: { SubagentStop: SUBAGENT },
  },
  // cursor.com/docs/hooks
  cursor: {
    events: words(`
      sessionStart sessionEnd preToolUse postToolUse postToolUseFailure subagentStart subagentStop
      beforeShellExecution afterShellExecution beforeMCPExecution afterMCPExecution beforeReadFile afterFileEdit
      beforeSubmitPrompt preCompact stop afterAgentResponse afterAgentThought
    `),
    leftOut: { subagentStop: SUBAGENT, afterShellExecution: TOLD_TWICE, afterMCPExecution: TOLD_TWICE, afterFileEdit: TOLD_TWICE },
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
    leftOut: { SubagentStop: SUBAGENT },
  },
  // developers.openai.com/codex/hooks; `PostToolUseFailure` is a name that never fires (openai/codex#34289)
  codex: {
    events: ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PermissionRequest', 'PostToolUse', 'Stop'],
    leftOut: {},
  },
};

it.each(Object.entries(CLIENTS))(
  'setup registers every event of %s that capture reads, and none that it does not',
  async (target, client) => {
    await using home = await clientHome({ target: target as TargetName });
    const registered = (await home.files()).flatMap(({ parts }) => parts.flatMap((part) => (part.kind === 'hook' ? [part.event] : [])));
    const { events, leftOut } = client;
    const read = events.filter((name) => eventNamed(name) !== undefined && !Object.hasOwn(leftOut, name));
    expect(registered.toSorted()).toEqual(read.toSorted());
  },
);
