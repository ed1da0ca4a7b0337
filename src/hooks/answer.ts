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
  if (context === '' || !takesContext({ client, event })) return '';
  const hookEventName = (client === 'gemini' ? GEMINI_NAMES : CLAUDE_NAMES)[event === 'prompt' ? 'prompt' : 'session-start'];
  const nested = { hookSpecificOutput: { hookEventName, additionalContext: context } };
  // VS Code reads the inner one, Copilot on the command line (1.0.102) the outer one alone; they share their hooks.
  return `${JSON.stringify(client === 'vscode' ? { additionalContext: context, ...nested } : nested)}\n`;
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
