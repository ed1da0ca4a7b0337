import { describe, expect, it } from 'vitest';
import type { LoreRequest } from '../../src/http/exchange.ts';
import { formOf } from '../../src/http/representations/representations.ts';
import { durationText } from '../../src/operations/health.ts';
import { guideMembers, memberCopier } from '../../src/operations/entry.ts';

const AT = Date.UTC(2026, 0, 2, 3, 4, 5, 6);
const TEXT = '2026-01-02T03:04:05.006Z';
/** The fields that a form looks at; the rest of what it is given is not needed. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- each form says by its parameter what it is
const of = <T>(fields: object): T => fields as T;

describe('both representations', () => {
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

  it('include the arrival and use of an entry, if any', () => {
    const tell = memberCopier(guideMembers);
    const told = (entry: object): object => {
      const form = {};
      tell(of(entry), form);
      return form;
    };
    expect([told({ arrivedAt: AT }), told({ recalls: 0 })]).toEqual([{ arrivedAt: TEXT }, { recalls: 0 }]);
    expect(told({ recalls: 3, lastRecalledAt: AT })).toEqual({ recalls: 3, lastRecalledAt: TEXT });
    expect(Object.keys(told({}))).toEqual([]);
  });
});

describe('the representation of a response', () => {
  const asked = (query: string): LoreRequest =>
    of({ url: `/api/list${query}`, search: query, query: Object.fromEntries(new URLSearchParams(query)) });

  it('is the requested one, or the configured one', () => {
    expect([formOf(asked('?form=guide'), 'reference'), formOf(asked('?form=reference'), 'guide')]).toEqual(['guide', 'reference']);
    expect([formOf(asked(''), 'reference'), formOf(asked(''), 'guide')]).toEqual(['reference', 'guide']);
    expect(() => formOf(asked('?form=other'), 'reference')).toThrow(expect.objectContaining({ code: 'invalid_input' }));
  });
});
