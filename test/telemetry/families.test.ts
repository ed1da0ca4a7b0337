import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { AMOUNTS, BUILD_INFO, COUNTERS, GAUGES, TIMINGS, type Family } from '../../src/telemetry/families.ts';

const GUIDE = new URL('../../docs/observability.md', import.meta.url);
const ALL: readonly Family[] = [BUILD_INFO, ...[COUNTERS, TIMINGS, AMOUNTS, GAUGES].flatMap((families) => Object.values<Family>(families))];

describe('the guide', () => {
  it('lists exactly the existing metrics with their labels', async () => {
    const rows = [...(await readFile(GUIDE, 'utf8')).matchAll(/^\| `(lore_\w+)` +\| \w+ +\| ([\w, ]*?) *\|/gm)];
    const told = new Map(rows.map(([, name, labels]) => [name!, labels!]));
    expect(Object.fromEntries(told)).toEqual(Object.fromEntries(ALL.map(({ name, labels }) => [name, labels.join(', ')])));
  });

  it('alerts on existing metrics', async () => {
    const text = await readFile(GUIDE, 'utf8');
    const used = [...text.matchAll(/expr: (.*)/g)].flatMap(([, expr]) => [...expr!.matchAll(/lore_\w+/g)].map(([name]) => name));
    expect(new Set(used).size).toBeGreaterThanOrEqual(3);
    const known = new Set(ALL.map(({ name }) => name));
    expect(used.filter((name) => !known.has(name))).toEqual([]);
  });
});
