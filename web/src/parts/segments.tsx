import type { ComponentChildren } from 'preact';

interface SegmentsProps<T extends string> {
  /** Label for screen readers. */
  readonly legend: string;
  /** Unique on the page. */
  readonly name: string;
  readonly options: readonly { readonly value: T; readonly label: ComponentChildren; readonly title?: string }[];
  readonly value: T;
  readonly onChoose: (value: T) => void;
  readonly class?: string;
}

/** A radio group as a row of segments: arrow keys move, one tab stop. */
export function Segments<T extends string>({ legend, name, options, value, onChoose, class: extra }: SegmentsProps<T>) {
  return (
    <fieldset class={extra === undefined ? 'seg' : `seg ${extra}`}>
      <legend class="sr">{legend}</legend>
      {options.map((option) => (
        <label key={option.value} title={option.title}>
          <input type="radio" name={name} checked={option.value === value} onChange={() => onChoose(option.value)} />
          {option.label}
        </label>
      ))}
    </fieldset>
  );
}

/** Segments as a field with a visible legend and a description of the choice. */
export function Choice<T extends string>({ hint, ...props }: SegmentsProps<T> & { readonly hint?: ComponentChildren }) {
  return (
    <div class="field">
      <span class="lbl" aria-hidden="true">
        {props.legend}
      </span>
      <Segments {...props} />
      {hint !== undefined && <p class="hint">{hint}</p>}
    </div>
  );
}
