import { describe, expect, it } from 'vitest';
import { readText } from './read-text.ts';

const OBSERVATION = {
  id: 12,
  memory_session_id: 's1',
  project: 'shop',
  type: 'bugfix',
  title: 'Cart total was off',
  subtitle: 'Rounding',
  narrative: 'Prices were rounded before they were added.',
  facts: '["Round once, at the end", "Tests cover 3 currencies"]',
  concepts: ['problem-solution', 'gotcha'],
  files_read: '["src/a.ts"]',
  files_modified: ['src/cart.ts', 'test/cart.test.ts'],
  prompt_number: 3,
  created_at: '2024-05-01T10:00:00.000Z',
  created_at_epoch: 1_714_557_600_000,
};
const SUMMARY = {
  id: 12,
  sdk_session_id: 's1',
  project: 'shop',
  request: 'Fix the cart',
  learned: 'Money is kept in cents',
  next_steps: 'Release',
  notes: null,
  created_at: '2024-05-01T11:00:00.000Z',
};

describe('an export in the style of claude-mem', () => {
  it('gives an entry for each observation and each session summary', async () => {
    const document = {
      exportedAt: 'x',
      totalObservations: 1,
      observations: [OBSERVATION],
      sessions: [{ memory_session_id: 's1' }],
      summaries: [SUMMARY],
      prompts: [{}, {}],
    };
    const read = await readText(JSON.stringify(document), { name: 'cm.json' });
    expect(read.entries).toEqual([
      {
        id: '12',
        content: [
          'Cart total was off\nRounding',
          'Prices were rounded before they were added.',
          '- Round once, at the end\n- Tests cover 3 currencies',
          'Files: src/cart.ts, test/cart.test.ts',
        ].join('\n\n'),
        namespace: 'shop',
        tags: ['bugfix', 'problem-solution', 'gotcha'],
        createdAt: '2024-05-01T10:00:00.000Z',
        sourceRef: { store: 'claude-mem', kind: 'observation', session: 's1', prompt: 3, filesRead: ['src/a.ts'] },
      },
      {
        id: '12',
        content: 'Request: Fix the cart\nLearned: Money is kept in cents\nNext steps: Release',
        namespace: 'shop',
        tags: ['session-summary'],
        createdAt: '2024-05-01T11:00:00.000Z',
        sourceRef: { store: 'claude-mem', kind: 'summary', session: 's1' },
      },
    ]);
    expect(read.places).toEqual(['cm.json observations 1', 'cm.json summaries 1']);
    expect(read.found).toEqual({ observations: 1, summaries: 1 });
    expect(read.leftOut).toEqual([
      { what: 'prompts', count: 2, names: [] },
      { what: 'sessions', count: 1, names: [] },
    ]);
  });

  it('accepts records under memories, a text instead of a narrative, and a plain list', async () => {
    const old = {
      id: 1,
      session_id: 's',
      text: 'It rains.',
      title: 'Weather',
      facts: [],
      concepts: '["sky"]',
      project: 'p',
      created_at: '2024-05-01',
    };
    for (const document of [{ memories: [old] }, [old]]) {
      expect(await readText(JSON.stringify(document))).toMatchObject({
        format: 'claude-mem',
        entries: [{ content: 'Weather\n\nIt rains.', tags: ['sky'], namespace: 'p' }],
      });
    }
  });

  it('keeps the project of the file in addition to the given namespace', async () => {
    const { entries } = await readText(JSON.stringify({ observations: [OBSERVATION] }), { namespace: 'mine' });
    expect(entries[0]).toMatchObject({ sourceRef: { project: 'shop' } });
    expect(entries[0]).not.toHaveProperty('namespace');
  });

  it('keeps a one-sentence fact as a whole', async () => {
    const { entries } = await readText(JSON.stringify({ observations: [{ facts: 'one, two; three', narrative: null }] }));
    expect(entries[0]?.content).toBe('- one, two; three');
  });

  it('reports records without text', async () => {
    const document = { observations: [{ narrative: '', facts: '[]', files: ['a.ts'] }, { concepts: ['x'] }, 'y'], summaries: [{}] };
    expect((await readText(JSON.stringify(document), { name: 'c' })).problems).toEqual([
      'c observations 1: has no title, narrative, facts or text',
      'c observations 2: has no title, narrative, facts or text',
      'c observations 3: must be a JSON object',
      'c summaries 1: has no title, narrative, facts or text',
    ]);
  });
});
