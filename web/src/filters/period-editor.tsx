import type { Filter } from '../address.ts';
import { count } from '../parts/formats.ts';
import { filterTexts } from './texts.ts';
import { lastDays, PRESETS, presetOf, wholeYear, yearOf, type Period } from './periods.ts';
import { CountedNote, useFacets } from './facets.tsx';

/** Number of years shown; earlier days can be typed. */
const MOST_YEARS = 6;

interface PeriodEditorProps {
  readonly filter: Filter;
  readonly onChoose: (period: Period) => void;
  readonly onClose: () => void;
}

/** When a memory was saved: a preset, a year with memories, or a first and last day. */
export function PeriodEditor({ filter: period, onChoose, onClose }: PeriodEditorProps) {
  const years = useFacets(period)?.years.slice(0, MOST_YEARS) ?? [];
  const [chosen, chosenYear] = [presetOf(period), yearOf(period)];
  const choose = (next: Period): void => {
    onChoose(next);
    onClose();
  };
  return (
    <div class="editor">
      <div class="row row--wrap">
        {PRESETS.map((days) => (
          <button key={days} type="button" class="btn btn--sm" aria-pressed={chosen === days} onClick={() => choose(lastDays(days))}>
            {filterTexts.presets[days]}
          </button>
        ))}
      </div>
      {years.length > 1 && (
        <>
          <div class="row row--wrap">
            {years.map(({ value: year, entries }) => (
              <button
                key={year}
                type="button"
                class="btn btn--sm"
                aria-pressed={chosenYear === year}
                onClick={() => choose(wholeYear(year))}
              >
                {year} <span class="num dim">{count(entries)}</span>
              </button>
            ))}
          </div>
          <CountedNote />
        </>
      )}
      <div class="two-fields">
        <Day
          id="filter-from"
          label={filterTexts.from}
          day={period.from}
          max={period.to}
          onChoose={(from) => onChoose({ from, to: period.to })}
        />
        <Day
          id="filter-to"
          label={filterTexts.to}
          day={period.to}
          min={period.from}
          onChoose={(to) => onChoose({ from: period.from, to })}
        />
      </div>
    </div>
  );
}

interface DayProps {
  readonly id: string;
  readonly label: string;
  readonly day: string;
  readonly min?: string;
  readonly max?: string;
  readonly onChoose: (day: string) => void;
}

function Day({ id, label, day, min, max, onChoose }: DayProps) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        class="input"
        id={id}
        type="date"
        value={day}
        min={min || undefined}
        max={max || undefined}
        // While a year is typed, its value is an early century.
        onChange={({ currentTarget: { value } }) => (value === '' || value >= '1900') && onChoose(value)}
      />
    </div>
  );
}
