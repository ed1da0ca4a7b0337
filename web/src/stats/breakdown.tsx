import { count } from '../parts/formats.ts';
import { texts } from '../texts.ts';

const WIDTH = 320;
const GAP = 2;
const COLOURS = 5;
const PRIORITY_ORDER = ['high', 'normal', 'low'];
const PRIORITY_CLASSES: Readonly<Record<string, { fill: string; key: string }>> = {
  high: { fill: 'p1', key: 'kp1' },
  normal: { fill: 'p2', key: 'kp2' },
  low: { fill: 'p3', key: 'k0' },
};

interface Part {
  readonly name: string;
  readonly entries: number;
  readonly fill: string;
  readonly key: string;
}

interface BreakdownProps {
  readonly title: string;
  readonly parts: Readonly<Record<string, number>>;
  readonly names: Readonly<Record<string, string>>;
  readonly priority?: boolean;
}

/** The greatest parts with a colour each; what does not get one of its own is put together. */
function coloured({ parts, names, priority = false }: BreakdownProps): readonly Part[] {
  const present = Object.entries(parts).filter(([, entries]) => entries > 0);
  if (priority) {
    return present
      .toSorted(([a], [b]) => PRIORITY_ORDER.indexOf(a) - PRIORITY_ORDER.indexOf(b))
      .map(([name, entries]) => ({ name: names[name] ?? name, entries, ...(PRIORITY_CLASSES[name] ?? { fill: 'f5', key: 'k5' }) }));
  }
  const ranked = present.toSorted(([, a], [, b]) => b - a).map(([name, entries]) => ({ name: names[name] ?? name, entries }));
  const own = ranked.length > COLOURS ? ranked.slice(0, COLOURS - 1) : ranked;
  const rest = ranked.slice(own.length).reduce((sum, { entries }) => sum + entries, 0);
  const all = rest > 0 ? [...own, { name: texts.stats.others, entries: rest }] : own;
  return all.map((part, index) => ({ ...part, fill: `f${index + 1}`, key: `k${index + 1}` }));
}

/** A whole in its parts: one bar and its key with numbers. */
export function Breakdown(props: BreakdownProps) {
  const parts = coloured(props);
  const total = parts.reduce((sum, { entries }) => sum + entries, 0);
  const room = WIDTH - GAP * Math.max(parts.length - 1, 0);
  let x = 0;
  return (
    <section class="card c6">
      <header class="card-h">
        <h2>{props.title}</h2>
      </header>
      {parts.length === 0 ? (
        <p class="dim small">{texts.stats.nothing}</p>
      ) : (
        <svg class="chart bar-whole" viewBox={`0 0 ${WIDTH} 12`} preserveAspectRatio="none" aria-hidden="true">
          {parts.map(({ name, entries, fill }) => {
            const width = (entries / total) * room;
            const left = x;
            x += width + GAP;
            return <rect key={name} class={fill} x={left.toFixed(1)} width={Math.max(width, 1).toFixed(1)} height="12" />;
          })}
        </svg>
      )}
      <ul class="key">
        {parts.map(({ name, entries, key }) => (
          <li key={name}>
            <i class={key} />
            {name} {count(entries)}
          </li>
        ))}
      </ul>
    </section>
  );
}
