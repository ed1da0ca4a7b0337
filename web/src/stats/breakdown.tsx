import type { Priority } from '../../../src/memory/entry.ts';
import { PRIORITIES, SOURCES } from '../../../src/memory/vocabulary.ts';
import type { Address } from '../address.ts';
import type { Stats } from '../api/responses.ts';
import { count } from '../parts/formats.ts';
import { Link } from '../parts/link.tsx';
import { texts } from '../texts.ts';
import { statsTexts } from './texts.ts';

const WIDTH = 320;
const GAP = 2;
const COLOURS = 5;
const PRIORITY_CLASSES = {
  high: 'p1',
  normal: 'p2',
  low: 'f0',
} as const satisfies Record<Priority, string>;

interface Part {
  readonly name: string;
  readonly entries: number;
  readonly fill: string;
  /** Link to the memories; absent for combined parts. */
  readonly to?: Partial<Address>;
}

/** Memories by source and priority, each part with a link to its memories. */
export function OriginCard({ stats, namespace }: { stats: Stats; namespace: string }) {
  return (
    <section class="card c4" aria-labelledby="by-source">
      <header class="row row--wrap card-h">
        <h2 id="by-source">{statsTexts.bySource}</h2>
      </header>
      <Whole parts={sourcesOf(stats, namespace)} />
      <h3 class="sub-h">{statsTexts.byPriority}</h3>
      <Whole parts={prioritiesOf(stats, namespace)} />
    </section>
  );
}

function prioritiesOf({ byPriority }: Stats, ns: string): readonly Part[] {
  return PRIORITIES.toReversed().flatMap((priority): Part[] => {
    const entries = byPriority[priority] ?? 0;
    if (entries === 0) return [];
    return [{ name: texts.priorities[priority], entries, to: { ns, priority }, fill: PRIORITY_CLASSES[priority] }];
  });
}

/** The largest parts with a colour each; the others are combined. */
function sourcesOf({ bySource }: Stats, ns: string): readonly Part[] {
  const ranked = SOURCES.map((source) => ({ source, entries: bySource[source] ?? 0 }))
    .filter(({ entries }) => entries > 0)
    .toSorted((a, b) => b.entries - a.entries);
  const own = ranked.slice(0, ranked.length > COLOURS ? COLOURS - 1 : COLOURS);
  const rest = ranked.slice(own.length).reduce((sum, { entries }) => sum + entries, 0);
  const parts: Pick<Part, 'name' | 'entries' | 'to'>[] = own.map(({ source, entries }) => ({
    name: texts.sources[source],
    entries,
    to: { ns, source },
  }));
  if (rest > 0) parts.push({ name: statsTexts.others, entries: rest });
  return parts.map((part, index) => ({ ...part, fill: `f${index + 1}` }));
}

function Whole({ parts }: { parts: readonly Part[] }) {
  if (parts.length === 0) return <p class="dim small">{statsTexts.nothing}</p>;
  const total = parts.reduce((sum, { entries }) => sum + entries, 0);
  const room = WIDTH - GAP * (parts.length - 1);
  let x = 0;
  return (
    <>
      <svg class="chart bar-whole" viewBox={`0 0 ${WIDTH} 12`} preserveAspectRatio="none" aria-hidden="true">
        {parts.map(({ name, entries, fill }) => {
          const width = Math.max((entries / total) * room, 2);
          const left = x;
          x += width + GAP;
          return <rect key={name} class={fill} x={left.toFixed(1)} width={width.toFixed(1)} height="12" />;
        })}
      </svg>
      <ul class="key key--links">
        {parts.map(({ name, entries, fill, to }) => (
          <li key={name}>
            <i class={fill} />
            {to === undefined ? (
              name
            ) : (
              <Link to={to} class="under">
                {name}
              </Link>
            )}{' '}
            <span class="num">{count(entries)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
