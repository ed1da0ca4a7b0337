import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { openTestApp, type TestApp } from '../../helpers/app.ts';

const START = Date.parse('2026-03-01T10:00:00Z');

/** Saves texts, one minute apart or so many milliseconds. */
async function talk(app: TestApp, turns: readonly string[], apartMs = 60_000): Promise<void> {
  const lines = turns.map((content, nth) => ({ content, namespace: 'test', createdAt: new Date(START + nth * apartMs).toISOString() }));
  await app.memories.import(Readable.from([Buffer.from(lines.map((line) => JSON.stringify(line)).join('\n'))]), {});
}

async function ask(app: TestApp, query: string): Promise<string[]> {
  const { results } = await app.memories.recall({ query, namespace: 'test', searchMode: 'keyword' });
  return results.map(({ entry }) => entry.content);
}

describe('a turn of a conversation', () => {
  it('by the speaker named in the query ranks above others', async () => {
    await using app = await openTestApp();
    await talk(app, [
      'Nora: The pottery class was lovely, I made a bowl',
      'Ilja: The pottery class was lovely, I made a vase',
      'Nora: See you soon',
    ]);
    expect((await ask(app, 'What did Nora make in the pottery class?'))[0]).toMatch(/^Nora: .*bowl/);
    expect((await ask(app, 'What did Ilja make in the pottery class?'))[0]).toMatch(/^Ilja: .*vase/);
  });

  it.each([
    ['a minute', 60_000],
    ['no time', 0],
  ])('gains from a matching neighbour with %s between them', async (_, apartMs) => {
    await using app = await openTestApp();
    const talked = [
      'Ilja: Is that the game Northern Lights?',
      'Nora: I play it since last month',
      'Ilja: Good',
      'Nora: I play the flute since my youth',
    ];
    await talk(app, talked, apartMs);
    const found = await ask(app, 'When did Nora start to play Northern Lights?');
    expect(found.indexOf(talked[1]!)).toBeLessThan(found.indexOf(talked[3]!));
  });

  it('has its parts in the explanation, which still add up', async () => {
    await using app = await openTestApp();
    await talk(app, ['Nora: The kiln is booked for Friday', 'Ilja: The kiln, really?']);
    const { results } = await app.memories.recall({ query: 'When is the kiln of Nora booked?', namespace: 'test', explain: true });
    const { parts, rankValue } = results[0]!.explanation!;
    expect(parts['speaker']).toBeGreaterThan(0);
    expect(parts['beside']).toBeGreaterThan(0);
    expect(Object.values(parts).reduce((sum, part) => sum + part, 0)).toBeCloseTo(rankValue, 3);
  });

  it('needs a speaker, and neighbours within hours', async () => {
    await using app = await openTestApp();
    await talk(app, ['The kiln is booked for Friday', 'The kiln burns at 1200 degrees']);
    const { results } = await app.memories.recall({ query: 'When is the kiln booked?', namespace: 'test', explain: true });
    for (const { explanation } of results) expect(Object.keys(explanation!.parts)).not.toContain('beside');
  });
});
