import { describe, expect, it } from 'vitest';
import { contentsOf, reading } from './reading.ts';
import { zipOf } from './zip-fixture.ts';

const CLAUDE = [
  {
    uuid: 'c-1',
    name: 'Tea',
    created_at: '2024-05-01T10:00:00Z',
    chat_messages: [
      {
        uuid: 'm1',
        sender: 'human',
        text: 'Which tea?',
        created_at: '2024-05-01T10:00:00Z',
        attachments: [{ file_name: 'a.txt' }],
        files: [],
      },
      {
        uuid: 'm2',
        sender: 'assistant',
        text: '',
        content: [
          { type: 'thinking', thinking: 'hm' },
          { type: 'text', text: 'Green tea.' },
        ],
        created_at: '2024-05-01T10:00:05Z',
      },
      { uuid: 'm3', sender: 'human', text: 'And coffee?', created_at: '2024-05-01T10:01:00Z' },
      { uuid: 'm4', sender: 'assistant', text: `Long. ${'word '.repeat(600)}`, created_at: '2024-05-01T10:01:09Z' },
    ],
  },
  { uuid: 'c-2', name: '', chat_messages: [] },
];

const said = (id: string, parent: string | null, children: string[], message: unknown) => [id, { id, parent, children, message }] as const;
const message = (role: string, text: string, more: object = {}) => ({
  author: { role },
  create_time: 1_714_557_600.5,
  content: { content_type: 'text', parts: [text] },
  recipient: 'all',
  metadata: {},
  ...more,
});
const CHATGPT = {
  title: 'Ports',
  conversation_id: 'g-1',
  current_node: 'n5',
  mapping: Object.fromEntries([
    said('root', null, ['n1'], null),
    said('n1', 'root', ['n2'], message('system', 'You are a helper', { metadata: { is_visually_hidden_from_conversation: true } })),
    said('n2', 'n1', ['n3', 'n4'], message('user', 'Which port?')),
    said('n3', 'n2', [], message('assistant', 'Port 1 (an answer that was made again)')),
    said('n4', 'n2', ['n5'], message('assistant', 'search("port")', { recipient: 'browser' })),
    said('n5', 'n4', [], message('assistant', 'Port 7007.')),
  ]),
};

describe('an export of Claude', () => {
  it('gives each exchange as a passage with the title of its conversation, and long messages in parts', async () => {
    const read = await reading('conversations.json', JSON.stringify(CLAUDE));
    expect(read.format).toBe('claude-chats');
    expect(read.documents).toHaveLength(1);
    expect(read.documents[0]?.key).toEqual({ root: 'claude', path: 'c-1' });
    const passages = read.documents[0]?.passages ?? [];
    expect(passages[0]).toEqual({
      content: 'Tea\n\nUser: Which tea?\n\nAssistant: Green tea.',
      heading: 'Tea',
      tags: ['chat'],
      createdAt: '2024-05-01T10:00:00.000Z',
      details: { role: 'exchange', message: 1, date: '2024-05-01T10:00:00.000Z', conversation: 'c-1' },
    });
    expect(passages[1]).toMatchObject({ content: 'Tea\n\nUser: And coffee?', details: { role: 'user', message: 3 } });
    expect(passages.length).toBeGreaterThan(3);
    expect(passages.slice(2).every(({ content, details }) => content.startsWith('Tea\n\nAssistant: ') && details?.['message'] === 4)).toBe(
      true,
    );
    expect(read.found).toEqual({ messages: 4, conversations: 2 });
    expect(read.leftOut).toEqual([
      { what: 'attachments', count: 1, names: [] },
      { what: 'parts that are not text', count: 1, names: ['thinking'] },
      { what: 'conversations without text', count: 1, names: [] },
    ]);
  });

  it('is read from its archive', async () => {
    const read = await reading('data.zip', zipOf({ 'users.json': '[]', 'conversations.json': JSON.stringify(CLAUDE) }));
    expect(read.format).toBe('claude-chats');
    expect(contentsOf(read)[0]).toContain('Green tea.');
  });
});

describe('an export of ChatGPT', () => {
  it('gives the last shown branch, without hidden messages', async () => {
    const read = await reading('conversations.json', JSON.stringify([CHATGPT]));
    expect(read.format).toBe('chatgpt-chats');
    expect(read.documents[0]?.key).toEqual({ root: 'chatgpt', path: 'g-1' });
    expect(contentsOf(read)).toEqual(['Ports\n\nUser: Which port?\n\nAssistant: Port 7007.']);
    expect(read.leftOut).toEqual([{ what: 'messages of other branches', count: 1, names: [] }]);
  });

  it('uses the last branch if none is marked, and ends for a circular tree', async () => {
    const { current_node: _, ...unmarked } = CHATGPT;
    expect(contentsOf(await reading('conversations.json', JSON.stringify([unmarked])))).toEqual([
      'Ports\n\nUser: Which port?\n\nAssistant: Port 7007.',
    ]);
    const mapping = Object.fromEntries([
      said('a', 'b', ['b'], message('user', 'round')),
      said('b', 'a', ['a'], message('assistant', 'and round')),
    ]);
    const circle = await reading(
      'conversations.json',
      JSON.stringify([{ title: 'Circle', conversation_id: 'x', current_node: 'a', mapping }]),
    );
    expect(contentsOf(circle).join(' ')).toContain('round');
  });
});
