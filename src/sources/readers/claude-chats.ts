import { conversationDocument, type ChatMessage, type Conversation } from './chat-passages.ts';
import { chatReading } from './chat-reading.ts';
import { instantOf, textOf } from './field-values.ts';
import type { Findings } from './findings.ts';
import { isRecord, type JsonRecord } from './json-record.ts';
import { MEGABYTE, type Reader } from './reader.ts';
import { plainText } from './text-decoding.ts';

const ROLES: ReadonlyMap<unknown, ChatMessage['role']> = new Map([
  ['human', 'user'],
  ['user', 'user'],
  ['assistant', 'assistant'],
]);

/** Whether a JSON value is a conversation of a Claude export. */
export const isClaudeChat = (value: unknown): value is JsonRecord => isRecord(value) && Array.isArray(value['chat_messages']);

/** Reads `conversations.json` of a Claude export. */
export const claudeChatsReader: Reader = {
  name: 'claude-chats',
  maxBytes: 256 * MEGABYTE,
  isolatedFrom: Number.POSITIVE_INFINITY,
  read: (input, options) =>
    chatReading(input, {
      format: 'claude-chats',
      isConversation: isClaudeChat,
      documentOf: (record, findings) => conversationDocument(conversationOf(record, findings), options),
    }),
};

function conversationOf(record: JsonRecord, findings: Findings): Conversation {
  const messages = (record['chat_messages'] as unknown[]).flatMap((message) => messageOf(message, findings));
  return { store: 'claude', id: textOf(record['uuid']) ?? '', title: textOf(record['name']), messages };
}

function messageOf(value: unknown, findings: Findings): ChatMessage[] {
  if (!isRecord(value)) return [];
  for (const kind of ['attachments', 'files'] as const) {
    const list = value[kind];
    if (Array.isArray(list) && list.length > 0) findings.leaveOut(kind, undefined, list.length);
  }
  const role = ROLES.get(value['sender']);
  const text = plainText(blocksText(value['content'], findings) ?? textOf(value['text']) ?? '').trim();
  if (role === undefined || text === '') return [];
  findings.count('messages');
  return [{ role, text, at: instantOf(value['created_at']) }];
}

/** The text blocks of a message, without thoughts, tools and tool results. Undefined if the message has no blocks. */
function blocksText(content: unknown, findings: Findings): string | undefined {
  if (!Array.isArray(content)) return undefined;
  const texts = content.flatMap((block: unknown) => {
    if (!isRecord(block)) return [];
    if (block['type'] === 'text') return textOf(block['text']) ?? [];
    findings.leaveOut('parts that are not text', textOf(block['type']));
    return [];
  });
  return texts.length === 0 ? undefined : texts.join('\n\n');
}
