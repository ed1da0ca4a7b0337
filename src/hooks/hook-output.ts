import type { CaptureEventName } from '../memory/operations/capture-operations.ts';

interface HookResult {
  readonly client: string;
  readonly event: CaptureEventName;
  /** Text to add to the context; empty for none. */
  readonly context: string;
}

/** Claude Code's names of the two events that can add to the context. Other clients use the same names. */
const CLAUDE_NAMES = { 'session-start': 'SessionStart', prompt: 'UserPromptSubmit' } as const;
const GEMINI_NAMES = { ...CLAUDE_NAMES, prompt: 'BeforeAgent' } as const;

/**
 * The output that a client expects from a hook: the context in the client's format if it accepts one at this event, else nothing. Cursor waits
 * for permission before it sends a prompt.
 */
export function outputFor({ client, event, context }: HookResult): string {
  if (client === 'cursor') return cursorAnswer(event, context);
  if (event === 'response' && ASKABLE.has(client) && context !== '') return `${JSON.stringify({ decision: 'block', reason: context })}\n`;
  if (context === '' || !takesContext({ client, event })) return '';
  const hookEventName = (client === 'gemini' ? GEMINI_NAMES : CLAUDE_NAMES)[event === 'prompt' ? 'prompt' : 'session-start'];
  const nested = { hookSpecificOutput: { hookEventName, additionalContext: context } };
  // VS Code and Copilot CLI share their hooks: VS Code reads the inner field, Copilot CLI (1.0.102) only the outer one.
  return `${JSON.stringify(client === 'vscode' ? { additionalContext: context, ...nested } : nested)}\n`;
}

/** Clients that continue a turn if the hook at its end gives a reason (code.claude.com/docs/en/hooks; openai/codex#14532). */
const ASKABLE: ReadonlySet<string> = new Set(['claude', 'codex']);

/**
 * Whether the agent may be asked to save: at the end of a turn that no hook has already continued. Undefined if no turn ends or the client
 * cannot be asked.
 */
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

/** Whether the client accepts context from a hook at this event. */
export function takesContext({ client, event }: Pick<HookResult, 'client' | 'event'>): boolean {
  if (event !== 'session-start' && event !== 'prompt') return false;
  if (client === 'windsurf') return false;
  return client !== 'cursor' || event === 'session-start';
}

function cursorAnswer(event: CaptureEventName, context: string): string {
  if (event === 'prompt') return `${JSON.stringify({ continue: true })}\n`;
  return event === 'session-start' && context !== '' ? `${JSON.stringify({ additional_context: context })}\n` : '';
}
