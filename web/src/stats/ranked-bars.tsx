import { useState } from 'preact/hooks';
import type { Address } from '../address.ts';
import { Bar } from '../parts/bar.tsx';
import { count } from '../parts/formats.ts';
import { Link } from '../parts/link.tsx';
import { statsTexts } from './texts.ts';
import { Button } from '../parts/button.tsx';

interface RankedBarsProps {
  readonly title: string;
  readonly none: string;
  readonly rows: readonly { readonly name: string; readonly entries: number; readonly to: Partial<Address> }[];
  /** Total number; `rows` may contain only the largest. */
  readonly all: number;
  /** Number of rows shown before "show all". */
  readonly shown: number;
}

/** Names with numbers, largest first, each with a link to its memories. */
export function RankedBars({ title, none, rows, all, shown }: RankedBarsProps) {
  const [open, setOpen] = useState(false);
  const ranked = rows.toSorted((a, b) => b.entries - a.entries);
  const most = ranked[0]?.entries ?? 1;
  return (
    <section class="card c4">
      <header class="row row--wrap card-h">
        <h2>{title}</h2>
        {rows.length > shown && (
          <Button
            look="quiet sm"
            label={open ? statsTexts.fewer : all > rows.length ? statsTexts.top(rows.length, all) : statsTexts.all(all)}
            aria-expanded={open}
            onClick={() => setOpen(!open)}
          />
        )}
      </header>
      {rows.length === 0 && <p class="dim small">{none}</p>}
      <ul class="bars">
        {ranked.slice(0, open ? rows.length : shown).map(({ name, entries, to }) => (
          <li key={name}>
            <Link to={to} class="clip under" title={name}>
              {name}
            </Link>
            <span class="num ink2">{count(entries)}</span>
            <Bar share={entries / most} />
          </li>
        ))}
      </ul>
    </section>
  );
}
