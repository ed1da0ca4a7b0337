import { describe, expect, it } from 'vitest';
import { formatVerification, hasFindings } from '../../src/cli/print/verification.ts';

const report = { checked: 12_000, altered: [], unreadable: [], ms: 5 };

describe('the findings of a full verification', () => {
  it('are listed and counted', () => {
    expect([formatVerification(report), hasFindings(report)]).toEqual([['12,000 entries read, all as saved.'], false]);
    const found = { ...report, altered: ['a'], unreadable: ['b', 'c'] };
    expect(formatVerification(found)).toEqual([
      'a differs from the saved version',
      'b cannot be read',
      'c cannot be read',
      '12,000 entries read, 3 not.',
      'Stop the server; `lore doctor --repair` restores what it can and names the rest.',
    ]);
    expect(hasFindings(found)).toBe(true);
  });

  it('are not counted beyond the limit of a report', () => {
    const altered = Array.from({ length: 10_000 }, (_, nth) => `id ${nth}`);
    expect(formatVerification({ ...report, altered })).toContain('12,000 entries read, 10,000 or more not.');
  });

  it('include an unreadable archive', () => {
    const found = { ...report, archiveUnreadable: true } as const;
    expect([formatVerification(found)[0], hasFindings(found)]).toEqual(['The archive cannot be read.', true]);
  });
});
