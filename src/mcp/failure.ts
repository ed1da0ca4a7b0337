import { ProtocolError, ProtocolErrorCode as ProtocolCode, type CallToolResult } from '@modelcontextprotocol/server';
import { LoreError, type ErrorCode } from '../memory/errors.ts';
import type { Caller } from './caller.ts';

interface Words {
  /** Next step for the model. */
  readonly next: string;
  /** The message may name a file or a setting of this machine: only its user sees it. */
  readonly hidden?: true;
}

/** The hint for a model for every error code. */
export const FAILURES = {
  invalid_input: { next: 'Correct the arguments and call again.' },
  unsupported_media_type: { next: 'Send the text as it is.' },
  too_large: { next: 'Save less text at once.' },
  unauthorized: { next: 'Tell the user: this client needs an API key of the Lore server.' },
  forbidden: { next: 'The API key of this client does not allow it; do not try again.' },
  not_found: { next: 'memory_recall shows valid ids.' },
  method_not_allowed: { next: 'Do not try again.' },
  conflict: { next: 'Try again in a moment.' },
  key_reused: { next: 'Do not try again with the same key.' },
  rate_limited: { next: 'Wait before the next call.' },
  unavailable: { next: 'Try again in a moment.' },
  network: { next: 'Try again in a moment.' },
  config: { next: 'Tell the user that `lore config --validate` shows what to correct.', hidden: true },
  filesystem: { next: 'Tell the user that `lore doctor` shows what to do.', hidden: true },
  internal: { next: 'Do not try again with the same arguments.', hidden: true },
} as const satisfies Record<ErrorCode, Words>;

const HIDDEN_MESSAGE = 'Something went wrong in Lore; its log has the details.';

/** One or two sentences for a model about any thrown value. Never exposes messages of other libraries, but logs them. */
export function messageFor(error: unknown, { trusted, log }: Pick<Caller, 'trusted' | 'log'>): string {
  const words: Words = error instanceof LoreError ? FAILURES[error.code] : FAILURES.internal;
  if (words.hidden) log.error({ err: error }, 'an MCP call failed');
  const isShown = error instanceof LoreError && (!words.hidden || trusted);
  return `${isShown ? whole(error.message) : HIDDEN_MESSAGE} ${words.next}`;
}

/** Messages about a field have no full stop. */
const whole = (sentence: string): string => (/[.?!]$/.test(sentence) ? sentence : `${sentence}.`);

/** The failure of a tool as a result, so that the model reads it. */
export function failedResult(error: unknown, caller: Pick<Caller, 'trusted' | 'log'>): CallToolResult {
  return failedCall(messageFor(error, caller));
}

/** A failed tool result with this text. */
export function failedCall(text: string): CallToolResult {
  return { isError: true, content: [{ type: 'text', text }] };
}

/** The failure of a resource or a prompt. Their results cannot say that they failed, so this throws a protocol error with `data`. */
export function refuse(error: unknown, caller: Pick<Caller, 'trusted' | 'log'>, data?: Readonly<Record<string, unknown>>): never {
  const code = error instanceof LoreError ? error.code : 'internal';
  const isTheirs = code === 'not_found' || code === 'invalid_input';
  throw new ProtocolError(isTheirs ? ProtocolCode.InvalidParams : ProtocolCode.InternalError, messageFor(error, caller), data);
}
