import { describe, expect, it } from 'vitest';
import type { LoreRequest } from '../../src/http/exchange.ts';
import {
  durationText,
  formOf,
  foundForm,
  guideId,
  isoTime,
  lastBackupForm,
  lastCompactionForm,
  resultForm,
} from '../../src/http/forms/forms.ts';
import { guideMembers, tellerOf } from '../../src/operations/entry.ts';

const AT = Date.UTC(2026, 0, 2, 3, 4, 5, 6);
const TEXT = '2026-01-02T03:04:05.006Z';
/** The fields that a form looks at; the rest of what it is given is not needed. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- each form says by its parameter what it is
const of = <T>(fields: object): T => fields as T;

describe('what both forms say', () => {
  it('of a time and an id', () => {
    expect(isoTime(AT)).toBe(TEXT);
    expect(guideId('abc')).toBe('mem_abc');
  });

  it.each([
    [0, '0s'],
    [999, '0s'],
    [-5_000, '0s'],
    [1_000, '1s'],
    [61_000, '1m 1s'],
    [3_600_000, '1h'],
    [2 * 86_400_000 + 3 * 3_600_000 + 4 * 60_000 + 5_999, '2d 3h 4m 5s'],
  ])('of a duration of %d ms is %s', (ms, text) => {
    expect(durationText(ms)).toBe(text);
  });

  it('of the arrival and the use of an entry, where there was any', () => {
    const tell = tellerOf(guideMembers);
    const told = (entry: object): object => {
      const form = {};
      tell(of(entry), form);
      return form;
    };
    expect([told({ arrivedAt: AT }), told({ recalls: 0 })]).toEqual([{ arrivedAt: TEXT }, { recalls: 0 }]);
    expect(told({ recalls: 3, lastRecalledAt: AT })).toEqual({ recalls: 3, lastRecalledAt: TEXT });
    expect(Object.keys(told({}))).toEqual([]);
  });

  it('of the last compaction and the last backup, where there was one', () => {
    const lastCompaction = { at: AT, archived: 3 };
    expect([lastCompactionForm(of({ lastCompaction })), lastCompactionForm({})]).toEqual([
      { lastCompaction: { at: TEXT, archived: 3 } },
      {},
    ]);
    const lastBackup = { name: 'b1', createdAt: AT, entries: 5 };
    expect([lastBackupForm(of({ lastBackup })), lastBackupForm(of({}))]).toEqual([{ lastBackup: { name: 'b1', createdAt: TEXT } }, {}]);
  });

  it('of a result, with what is asked for besides', () => {
    expect(Object.keys(resultForm(of({ score: 1 })))).toEqual([]);
    const explanation = {
      mode: 'hybrid',
      keyword: { coverage: 1, terms: [{ term: 'a' }], missing: ['b'] },
      filters: [{ filter: 'tags' }],
      parts: { bm25: 1 },
    };
    const passage = { start: 0, end: 3 };
    expect(resultForm(of({ archived: { at: AT, reason: 'expired' }, passage, explanation }))).toEqual({
      archived: { at: TEXT, reason: 'expired' },
      passage,
      explanation,
    });
    const { keyword: _, ...byMeaning } = explanation;
    expect(resultForm(of({ explanation: byMeaning }))).toEqual({ explanation: byMeaning });
    expect([foundForm(of({ archivedMatches: 0 })), Object.keys(foundForm(of({})))]).toEqual([{ archivedMatches: 0 }, []]);
  });
});

describe('the form of an answer', () => {
  const asked = (query: string): LoreRequest =>
    of({ url: `/api/list${query}`, search: query, query: Object.fromEntries(new URLSearchParams(query)) });

  it('is the one that the request asks for, or that is set', () => {
    expect([formOf(asked('?form=guide'), 'reference'), formOf(asked('?form=reference'), 'guide')]).toEqual(['guide', 'reference']);
    expect([formOf(asked(''), 'reference'), formOf(asked(''), 'guide')]).toEqual(['reference', 'guide']);
    expect(() => formOf(asked('?form=other'), 'reference')).toThrow(expect.objectContaining({ code: 'invalid_input' }));
  });
});
