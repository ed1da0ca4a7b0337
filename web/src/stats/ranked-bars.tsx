import { useState } from 'preact/hooks';
import type { Address } from '../address.ts';
import { Bar } from '../parts/bar.tsx';
import { count } from '../parts/formats.ts';
import { Link } from '../parts/link.tsx';
import { texts } from '../texts.ts';

const SHOWN = 7;

interface RankedBarsProps {
  readonly title: string;
  /** Said where there is nothing to rank. */
  readonly none: string;
  readonly rows: readonly { readonly name: string; readonly entries: number; readonly to: Partial<Address> }[];
}

/** Names with numbers, most first, each leading to its memories. */
export function RankedBars({ title, none, rows }: RankedBarsProps) {
  const [all, setAll] = useState(false);
  const ranked = rows.toSorted((a, b) => b.entries - a.entries);
  const most = ranked[0]?.entries ?? 1;
  return (
    <section class="card c4">
      <header class="card-h">
        <h2>{title}</h2>
        {rows.length > SHOWN && (
          <button type="button" class="btn btn--quiet btn--sm" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? texts.stats.fewer : texts.stats.all(rows.length)}
          </button>
        )}
      </header>
      {rows.length === 0 && <p class="dim small">{none}</p>}
      <ul class="bars">
        {ranked.slice(0, all ? rows.length : SHOWN).map(({ name, entries, to }) => (
          <li key={name}>
            <Link to={to} class="clip" title={name}>
              {name}
            </Link>
            <span class="num">{count(entries)}</span>
            <Bar share={entries / most} />
          </li>
        ))}
      </ul>
    </section>
  );
}
