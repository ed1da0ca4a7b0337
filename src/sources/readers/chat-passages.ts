import { splitPassages } from '../../memory/words/passages.ts';
import { MAX_PASSAGES, type SourcePassage } from '../../memory/operations/source-operations.ts';
import type { ReadOptions, SourceDocument } from './reader.ts';
import { oneLine } from './text-decoding.ts';
import { withoutUndefined } from '../../memory/without-undefined.ts';

/** Exchanges up to this many passages long are one entry; longer ones are stored per message. */
const EXCHANGE_PASSAGES = 4;
const MAX_TITLE_CHARS = 300;
const MAX_ID_CHARS = 200;

const SPEAKERS = { user: 'User', assistant: 'Assistant' } as const;

/** One message of a conversation. */
export interface ChatMessage {
  readonly role: keyof typeof SPEAKERS;
  readonly text: string;
  /** ISO 8601. */
  readonly at: string | undefined;
}

/** A conversation of an export, in chronological order. */
export interface Conversation {
  /** Name of the chat program, lower case. */
  readonly store: string;
  readonly id: string;
  readonly title: string | undefined;
  readonly messages: readonly ChatMessage[];
}

/** Converts a conversation to a document with its own key: one entry per question and answer, below the title. */
export function conversationDocument({ store, id, title, messages }: Conversation, options: ReadOptions): SourceDocument {
  const heading = oneLine(title, MAX_TITLE_CHARS);
  const longest = options.size * EXCHANGE_PASSAGES;
  const passages = exchanges(messages).flatMap((exchange) => {
    const whole = { text: exchange.map(({ message }) => spoken(message)).join('\n\n'), first: exchange[0], role: 'exchange' };
    if (options.split === 'none' || whole.text.length <= longest) return [whole];
    return exchange.flatMap((turn) =>
      messagePieces(turn.message, longest, options).map((text) => ({ text, first: turn, role: turn.message.role })),
    );
  });
  const path = oneLine(id, MAX_ID_CHARS) ?? heading ?? 'conversation';
  return {
    key: { root: store, path },
    passages: passages.map(({ text, first, role }): SourcePassage => {
      const at = first?.message.at;
      return {
        content: heading === undefined ? text : `${heading}\n\n${text}`,
        ...withoutUndefined({ heading }),
        tags: ['chat'],
        ...withoutUndefined({ createdAt: at }),
        details: { role, message: first?.number ?? 1, ...withoutUndefined({ date: at }), conversation: path },
      };
    }),
  };
}

interface Turn {
  readonly message: ChatMessage;
  /** Number from 1. */
  readonly number: number;
}

/** Groups messages: a user message with all answers before the next one. */
function exchanges(messages: readonly ChatMessage[]): Turn[][] {
  const found: Turn[][] = [];
  let last: ChatMessage | undefined;
  for (const [at, message] of messages.entries()) {
    const turn = { message, number: at + 1 };
    const current = found.at(-1);
    if (current === undefined || (message.role === 'user' && last?.role !== 'user')) found.push([turn]);
    else current.push(turn);
    last = message;
  }
  return found;
}

const spoken = ({ role, text }: ChatMessage): string => `${SPEAKERS[role]}: ${text}`;

function messagePieces(message: ChatMessage, size: number, { overlap }: ReadOptions): string[] {
  const pieces = splitPassages(message.text, { size, overlap, max: MAX_PASSAGES + 1 });
  return pieces.map(({ text }) => spoken({ ...message, text: text.trim() }));
}
