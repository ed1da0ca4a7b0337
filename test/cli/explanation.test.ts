import { describe, expect, it } from 'vitest';
import { explanationLines, formatWhy } from '../../src/cli/print/explanation.ts';
import { formatResults } from '../../src/cli/print/results.ts';
import type { Entry, ScoredEntry } from '../../src/memory/entry.ts';
import type { Explanation } from '../../src/memory/operations/explanation.ts';

const EXPLANATION: Explanation = {
  rankValue: 1.135,
  parts: { early: 0.2, bm25: 0.81, recency: 0.001, vector: 0.15, doubled: -0.025 },
  vector: { cosine: 0.43 },
  keyword: {
    bm25: 7.2,
    coverage: 0.75,
    terms: [
      { term: 'deploi', matched: 'deploi', kind: 'exact', count: 2, idf: 2, bm25: 4 },
      { term: 'k8s', matched: 'kubernet', kind: 'equivalent', count: 1, idf: 3, bm25: 3.2 },
    ],
    missing: ['stage'],
  },
  filters: ['namespace a'],
};
const ENTRY: Entry = {
  id: '01975a3e-8a51-7c3e-9a53-0f6d2b8c4e11',
  content: 'Deploy to kubernetes; deploy on Fridays.',
  namespace: 'a',
  container: 'a',
  tags: ['ops'],
  priority: 'normal',
  importance: 0.5,
  source: 'cli',
  createdAt: 0,
  updatedAt: 0,
  contentHash: '',
};
const found = (result: Omit<ScoredEntry, 'entry' | 'score' | 'scores'>, content = ENTRY.content): string[] =>
  formatResults({
    query: 'deploy k8s staging',
    mode: 'hybrid',
    results: [{ entry: { ...ENTRY, content }, score: 0.625, scores: {}, ...result }],
  }).split('\n');

describe('the lines of an explanation', () => {
  it('name the matched words and how they match, and the parts of the rank, largest first', () => {
    expect(explanationLines(EXPLANATION, 'deploy k8s staging Deploy to kubernetes')).toEqual([
      'words deploy ×2, kubernetes for k8s (equivalent); not in it: staging',
      'ranked by 1.14 = bm25 0.81 + early 0.20 + vector 0.15 - doubled 0.03',
    ]);
  });

  it('leave out words if words were not searched', () => {
    expect(explanationLines({ rankValue: 0.43, parts: { vector: 0.43 }, filters: [] }, 'q')).toEqual(['ranked by 0.43 = vector 0.43']);
  });

  it('show a stem as it is if no word of the text starts with it', () => {
    const terms = [{ term: 'went', matched: 'go', kind: 'equivalent', count: 1, idf: 1, bm25: 1 } as const];
    const keyword = { ...EXPLANATION.keyword!, terms, missing: ['gov'] };
    expect(explanationLines({ ...EXPLANATION, keyword }, 'gone, governmental')[0]).toBe('words go for went (equivalent); not in it: gov');
  });

  it('report that no word matched', () => {
    const { keyword, ...rest } = EXPLANATION;
    expect(explanationLines({ ...rest, keyword: { ...keyword!, terms: [] } }, 'staging')[0]).toBe('words none; not in it: staging');
  });
});

describe('a result', () => {
  it('is shown with its explanation and the entries folded into it', () => {
    const lines = found({ explanation: EXPLANATION, collapsed: ['01975a3e-0000-7c3e-9a53-0f6d2b8c4e11'] });
    expect(lines[0]).toBe('0.63  Deploy to kubernetes; deploy on Fridays.');
    expect(lines[1]).toContain(ENTRY.id);
    expect(lines.slice(2)).toEqual([
      '      and 1 near duplicates: 01975a3e-0000-7c3e-9a53-0f6d2b8c4e11',
      '      words deploy ×2, kubernetes for k8s (equivalent); not in it: staging',
      '      ranked by 1.14 = bm25 0.81 + early 0.20 + vector 0.15 - doubled 0.03',
    ]);
  });

  it('shows the best passage instead of the start of a long text', () => {
    const content = `${'Nothing to see. '.repeat(50)}The key is under the pot. And so on.`;
    const text = 'The key is under the pot.';
    const start = content.indexOf(text);
    expect(found({ passage: { text, start, end: start + text.length } }, content)[0]).toBe(`0.63  … ${text} …`);
  });

  it('has no ellipsis if the passage starts or ends the text', () => {
    const content = `First this. ${'Nothing to see. '.repeat(50)}Then that.`;
    expect(found({ passage: { text: 'First this.', start: 0, end: 11 } }, content)[0]).toBe('0.63  First this. …');
    const start = content.indexOf('Then that.');
    expect(found({ passage: { text: 'Then that.', start, end: content.length } }, content)[0]).toBe('0.63  … Then that.');
  });

  it('escapes terminal control characters in matched words', () => {
    const keyword = { ...EXPLANATION.keyword!, missing: ['a\u001b[2Jb'] };
    expect(found({ explanation: { ...EXPLANATION, keyword } }).join('')).not.toContain('\u001b');
  });
});

describe('the explanation of one entry', () => {
  const report = { query: 'deploy k8s', mode: 'hybrid', id: ENTRY.id, reason: 'It is number 1.' } as const;

  it('starts with the verdict, then gives the reasons', () => {
    const text = formatWhy({ ...report, returned: true, rank: 1, score: 0.625, filters: [], explanation: EXPLANATION }, ENTRY.content);
    expect(text).toMatch(/^Found\. It is number 1\.\n\n/);
    expect(text).toMatch(/^Rank +1$/m);
    expect(text).toMatch(/^Score +0\.63$/m);
    expect(text).toMatch(/^Words +deploy ×2, kubernetes for k8s \(equivalent\); not in it: stage$/m);
    expect(text).toMatch(/^Ranked by +1\.14 = bm25 0\.81 /m);
    expect(text).not.toContain('Filters');
  });

  it('lists every filter and whether the entry passes it', () => {
    const filters = [
      { filter: 'namespace b', passed: false },
      { filter: 'tag ops', passed: true },
    ];
    const text = formatWhy({ ...report, returned: false, reason: 'It is in namespace a, the search looked in b.', filters }, ENTRY.content);
    expect(text).toMatch(/^Not found\. It is in namespace a, the search looked in b\.\n\n/);
    expect(text).toMatch(/^Filters +namespace b: does not pass\n +tag ops: passes$/m);
    expect(text).not.toContain('Rank');
  });
});
