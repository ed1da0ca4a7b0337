import type { ComponentChildren } from 'preact';
import { PRIORITIES, type Priority } from '../../../src/memory/vocabulary.ts';
import { texts } from '../texts.ts';
import { PriorityMark } from './facts.tsx';
import { ratio } from './formats.ts';
import { Choice } from './segments.tsx';
import { Slider } from './slider.tsx';
import { Button } from './button.tsx';

interface PriorityFieldProps {
  /** Unique on the page. */
  readonly name: string;
  readonly priority: Priority;
  /** Explicit importance; undefined if it follows from the priority. */
  readonly importance: number | undefined;
  /** The importance if it is not set here. */
  readonly follows: number;
  readonly onChange: (patch: { readonly priority?: Priority; readonly importance?: number | undefined }) => void;
}

const words = texts.importance;

/** The exact importance, collapsed below the priority. */
export function ExactImportance({ value, open = false, children }: { value?: string; open?: boolean; children: ComponentChildren }) {
  return (
    <details class="exact" open={open}>
      <summary>
        {words.exact} <span class="num">{value}</span>
      </summary>
      {children}
    </details>
  );
}

/** Priority: one of three steps, or an exact importance. Untouched fields do not change. */
export function PriorityField({ name, priority, importance, follows, onChange }: PriorityFieldProps) {
  const slide = `${name}-exact`;
  const reset = (): void => {
    onChange({ importance: undefined });
    // The button disappears, so the focus moves.
    document.getElementById(slide)?.focus();
  };
  return (
    <div class="stack small-gap">
      <Choice
        legend={words.priority}
        name={name}
        value={priority}
        options={PRIORITIES.map((value) => ({ value, label: <PriorityMark priority={value} /> }))}
        onChoose={(chosen) => onChange({ priority: chosen })}
        hint={words.explained}
      />
      <ExactImportance value={ratio(importance ?? follows)}>
        <Slider id={slide} label={words.importance} value={importance ?? follows} onChoose={(value) => onChange({ importance: value })} />
        {importance !== undefined && <Button look="quiet sm" label={words.reset} onClick={reset} />}
      </ExactImportance>
    </div>
  );
}
