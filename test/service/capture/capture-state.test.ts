import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CaptureState } from '../../../src/service/capture/capture-state.ts';
import { temporaryFolder } from '../../helpers/folder.ts';

const DAY = 86_400_000;
const about = (namespace: string, at: number) => ({ session: 's', client: 'c', namespace, at });
const dayOf = (at: number): string => new Date(at - new Date(at).getTimezoneOffset() * 60_000).toISOString().slice(0, 10);

describe('capture statistics', () => {
  // Far from midnight and from days on which clocks are changed, wherever this runs.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: new Date(2026, 5, 17, 12) }));
  afterEach(() => void vi.useRealTimers());

  it('count by day and reason, for one namespace or all, across restarts', async () => {
    await using folder = await temporaryFolder();
    const place = { folder: folder.path, name: 'store' };
    const state = new CaptureState(place);
    const now = Date.now();
    state.count({ kept: 'decision' }, about('a', now));
    state.count({ refused: 'too short' }, about('a', now));
    state.count({ refused: 'too short' }, about('b', now - 3 * DAY));
    state.count({ refused: 'duplicate' }, about('b', now - 45 * DAY));
    await state.save();
    const { perDay, refused } = new CaptureState(place).stats(undefined);
    expect(refused).toBe(3);
    expect(perDay).toHaveLength(30);
    expect(perDay.at(-1)).toEqual({ day: dayOf(now), kept: 1, refused: 1, byReason: { 'too short': 1 } });
    expect(perDay.filter((day) => day.kept + day.refused > 0)).toHaveLength(2);
    expect(state.stats('b').perDay.at(-4)).toMatchObject({ day: dayOf(now - 3 * DAY), refused: 1 });
    expect(state.stats('b').perDay.at(-1)).toMatchObject({ kept: 0, refused: 0 });
  });

  it('continue from a file without days, and move future days to today', async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'store.state.json');
    writeFileSync(file, JSON.stringify({ since: 1, namespaces: { a: { kept: { fact: 2 }, refused: {} } }, sessions: [], marks: {} }));
    const state = new CaptureState({ folder: folder.path, name: 'store' });
    state.count({ kept: 'fact' }, about('a', Date.now() + 400 * DAY));
    const { kept, perDay } = state.stats(undefined);
    expect([kept, perDay.at(-1)?.kept]).toEqual([3, 1]);
  });
});
