import { conversationDocument, type ChatMessage, type Conversation } from './chat-passages.ts';
import { chatReading } from './chat-reading.ts';
import { instantOf, textOf } from './field-values.ts';
import type { Findings } from './findings.ts';
import { isRecord, type JsonRecord } from './json-record.ts';
import { MEGABYTE, type Reader } from './reader.ts';
import { plainText } from './text-decoding.ts';

const TEXT_TYPES: ReadonlySet<unknown> = new Set(['text', 'multimodal_text']);

/** Whether a JSON value is a conversation of a ChatGPT export: a tree of messages. */
export const isChatGptChat = (value: unknown): value is JsonRecord => isRecord(value) && isRecord(value['mapping']);

/** Reads `conversations.json` of a ChatGPT export. Of an edited conversation, the branch shown last. */
export const chatGptChatsReader: Reader = {
  name: 'chatgpt-chats',
  maxBytes: 256 * MEGABYTE,
  isolatedFrom: Number.POSITIVE_INFINITY,
  read: (input, options) =>
    chatReading(input, {
      format: 'chatgpt-chats',
      isConversation: isChatGptChat,
      documentOf: (record, findings) => conversationDocument(conversationOf(record, findings), options),
    }),
};

function conversationOf(record: JsonRecord, findings: Findings): Conversation {
  const mapping = record['mapping'] as JsonRecord;
  const branch = shownBranch(mapping, textOf(record['current_node']));
  const elsewhere = Object.entries(mapping).filter(([id, node]) => !branch.has(id) && isMessage(node)).length;
  if (elsewhere > 0) findings.leaveOut('messages of other branches', undefined, elsewhere);
  const messages = [...branch.values()].toReversed().flatMap((node) => messageOf(node, findings));
  const id = textOf(record['conversation_id']) ?? textOf(record['id']) ?? '';
  return { store: 'chatgpt', id, title: textOf(record['title']), messages };
}

/**
 * The nodes from the current message up to the root, by id. Without a current message, starts at the leaf reached through last children.
 */
function shownBranch(mapping: JsonRecord, current: string | undefined): Map<string, JsonRecord> {
  const branch = new Map<string, JsonRecord>();
  let id = current !== undefined && isRecord(mapping[current]) ? current : lastLeaf(mapping);
  // Stop at a visited node: the data may contain a cycle.
  while (id !== undefined && !branch.has(id)) {
    const node = Object.hasOwn(mapping, id) ? mapping[id] : undefined;
    if (!isRecord(node)) break;
    branch.set(id, node);
    id = textOf(node['parent']);
  }
  return branch;
}

function lastLeaf(mapping: JsonRecord): string | undefined {
  let id = Object.keys(mapping).find((key) => textOf((mapping[key] as JsonRecord | undefined)?.['parent']) === undefined);
  const passed = new Set<string>();
  for (let next = id; next !== undefined && !passed.has(next);) {
    id = next;
    passed.add(next);
    const children = (mapping[next] as JsonRecord | undefined)?.['children'];
    next = Array.isArray(children) ? textOf(children.at(-1)) : undefined;
  }
  return id;
}

const isMessage = (node: unknown): boolean => isRecord(node) && isRecord(node['message']) && roleOf(node['message']) !== undefined;

/** Undefined for messages that the user never saw: instructions, tools and messages to tools. */
function roleOf(message: JsonRecord): ChatMessage['role'] | undefined {
  const { author, metadata, recipient } = message;
  const isHidden = isRecord(metadata) && metadata['is_visually_hidden_from_conversation'] === true;
  const isForTool = textOf(recipient) !== undefined && recipient !== 'all';
  const role = isRecord(author) ? author['role'] : undefined;
  return !isHidden && !isForTool && (role === 'user' || role === 'assistant') ? role : undefined;
}

function messageOf({ message }: JsonRecord, findings: Findings): ChatMessage[] {
  const role = isRecord(message) ? roleOf(message) : undefined;
  const content = isRecord(message) ? message['content'] : undefined;
  if (!isRecord(message) || role === undefined || !isRecord(content)) return [];
  if (!TEXT_TYPES.has(content['content_type'])) {
    findings.leaveOut('parts that are not text', textOf(content['content_type']));
    return [];
  }
  const parts = Array.isArray(content['parts']) ? (content['parts'] as unknown[]) : [];
  const others = parts.filter((part) => isRecord(part)).length;
  if (others > 0) findings.leaveOut('parts that are not text', 'image or file', others);
  const text = plainText(parts.filter((part) => typeof part === 'string').join('\n\n')).trim();
  if (text === '') return [];
  findings.count('messages');
  return [{ role, text, at: instantOf(message['create_time']) }];
}
