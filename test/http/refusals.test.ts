import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AuditRecord } from '../../src/memory/audit.ts';
import { RefusedRequests } from '../../src/http/middleware/refused-requests.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const MINUTE_MS = 60_000;

function open(): {
  refusals: RefusedRequests;
  written: () => (readonly [key: string, remote: string | undefined, count: number | undefined])[];
} {
  const records: AuditRecord[] = [];
  const refusals = new RefusedRequests({ write: (record) => records.push(record) });
  return { refusals, written: () => records.splice(0).map(({ key, remote, count }) => [key, remote, count]) };
}
const refusal = (remote: string, key: 'none' | 'unknown' = 'none') => ({ key, remote, requestId: 'r' });

describe('refused requests', () => {
  it('are logged once at first, then once a minute per address', () => {
    const { refusals, written } = open();
    for (let nth = 0; nth < 5000; nth += 1) refusals.note(refusal('10.0.0.1'));
    refusals.note(refusal('10.0.0.1', 'unknown'));
    refusals.note(refusal('10.0.0.2'));
    expect(written()).toEqual([
      ['none', '10.0.0.1', 1],
      ['unknown', '10.0.0.1', 1],
      ['none', '10.0.0.2', 1],
    ]);
    vi.advanceTimersByTime(MINUTE_MS);
    expect(written()).toEqual([['none', '10.0.0.1', 4999]]);
    refusals.note(refusal('10.0.0.1'));
    refusals.note(refusal('10.0.0.2'));
    expect(written()).toEqual([['none', '10.0.0.2', 1]]);
    vi.advanceTimersByTime(MINUTE_MS);
    expect(written()).toEqual([['none', '10.0.0.1', 1]]);
    vi.advanceTimersByTime(2 * MINUTE_MS);
    refusals.note(refusal('10.0.0.1'));
    expect(written()).toEqual([['none', '10.0.0.1', 1]]);
    refusals.close();
  });

  it('of very many addresses are one line without an address', () => {
    const { refusals, written } = open();
    for (let nth = 0; nth < 5000; nth += 1) refusals.note(refusal(`2001:db8:0:${nth.toString(16)}::1`));
    expect(written()).toHaveLength(101);
    vi.advanceTimersByTime(MINUTE_MS);
    expect(written()).toEqual([['none', undefined, 4899]]);
    refusals.close();
  });

  it('from one IPv6 network count as one client', () => {
    const { refusals, written } = open();
    for (let nth = 1; nth <= 5000; nth += 1) refusals.note(refusal(`2001:db8:0:1::${nth.toString(16)}`));
    refusals.note(refusal('10.0.0.1'));
    expect(written()).toEqual([
      ['none', '2001:db8:0:1::1', 1],
      ['none', '10.0.0.1', 1],
    ]);
    vi.advanceTimersByTime(MINUTE_MS);
    expect(written()).toEqual([['none', '2001:db8:0:1::2', 4999]]);
    refusals.close();
  });

  it('are all written on close', () => {
    const { refusals, written } = open();
    for (let nth = 0; nth < 3; nth += 1) refusals.note(refusal('10.0.0.1'));
    refusals.close();
    refusals.note(refusal('10.0.0.1'));
    expect(written()).toEqual([
      ['none', '10.0.0.1', 1],
      ['none', '10.0.0.1', 2],
      ['none', '10.0.0.1', 1],
    ]);
    expect(vi.getTimerCount()).toBe(0);
  });
});
