import type { CaptureEventName } from '../memory/operations/capture-operations.ts';

interface Said {
  readonly client: string;
  readonly event: CaptureEventName;
  /** Empty where there is nothing to say. */
  readonly context: string;
}

/** Names that Claude Code gives the two events which may add to the context; others took them over. */
const CLAUDE_NAMES = { 'session-start': 'SessionStart', prompt: 'UserPromptSubmit' } as const;
const GEMINI_NAMES = { ...CLAUDE_NAMES, prompt: 'BeforeAgent' } as const;

/**
 * What a client expects on standard output: the context in its own form where it takes any at this event, else nothing. Cursor waits for leave before it
 * sends a prompt.
 */
export function answerFor({ client, event, context }: Said): string {
  if (client === 'cursor') return cursorAnswer(event, context);
  if (event === 'response' && ASKABLE.has(client) && context !== '') return `${JSON.stringify({ decision: 'block', reason: context })}\n`;
  if (context === '' || !takesContext({ client, event })) return '';
  const hookEventName = (client === 'gemini' ? GEMINI_NAMES : CLAUDE_NAMES)[event === 'prompt' ? 'prompt' : 'session-start'];
  const nested = { hookSpecificOutput: { hookEventName, additionalContext: context } };
  // VS Code reads the inner one, Copilot on the command line (1.0.102) the outer one alone; they share their hooks.
  return `${JSON.stringify(client === 'vscode' ? { additionalContext: context, ...nested } : nested)}\n`;
}

/** Clients that go on where a hook at the end of a turn gives them a reason (code.claude.com/docs/en/hooks; openai/codex#14532). */
const ASKABLE: ReadonlySet<string> = new Set(['claude', 'codex']);

/** Whether an agent can be asked something: at the end of its turn, and not of one that a hook prolonged; undefined where no turn ends or no agent listens. */
export function mayAsk({
  event,
  client,
  payload,
}: {
  event: string;
  client: string;
  payload: Readonly<Record<string, unknown>>;
}): boolean | undefined {
  return ASKABLE.has(client) && event.toLowerCase() === 'stop' ? payload['stop_hook_active'] === false : undefined;
}

/** Whether a client lets a hook add to the context at this event. */
export function takesContext({ client, event }: Pick<Said, 'client' | 'event'>): boolean {
  if (event !== 'session-start' && event !== 'prompt') return false;
  if (client === 'windsurf') return false;
  return client !== 'cursor' || event === 'session-start';
}

function cursorAnswer(event: CaptureEventName, context: string): string {
  if (event === 'prompt') return `${JSON.stringify({ continue: true })}\n`;
  return event === 'session-start' && context !== '' ? `${JSON.stringify({ additional_context: context })}\n` : '';
}
