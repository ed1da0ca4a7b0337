import { filterTexts } from './texts.ts';
import { lastDays, PRESETS, presetOf, type Period } from './periods.ts';

interface PeriodEditorProps {
  readonly period: Period;
  readonly onChoose: (period: Period) => void;
  readonly onClose: () => void;
}

/** When a memory was saved: a preset, or first and last day. */
export function PeriodEditor({ period, onChoose, onClose }: PeriodEditorProps) {
  const chosen = presetOf(period);
  const preset = (days: number): void => {
    onChoose(lastDays(days));
    onClose();
  };
  return (
    <div class="editor">
      <div class="row row--wrap">
        {PRESETS.map((days) => (
          <button key={days} type="button" class="btn btn--sm" aria-pressed={chosen === days} onClick={() => preset(days)}>
            {filterTexts.presets[days]}
          </button>
        ))}
      </div>
      <div class="two-fields">
        <Day
          id="filter-from"
          label={filterTexts.from}
          day={period.from}
          max={period.to}
          onChoose={(from) => onChoose({ ...period, from })}
        />
        <Day id="filter-to" label={filterTexts.to} day={period.to} min={period.from} onChoose={(to) => onChoose({ ...period, to })} />
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
        // While a year is typed it is one of the first centuries.
        onChange={({ currentTarget: { value } }) => (value === '' || value >= '1900') && onChoose(value)}
      />
    </div>
  );
}
