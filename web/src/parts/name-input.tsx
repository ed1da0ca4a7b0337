import type { InputHTMLAttributes } from 'preact';

type Further = 'value' | 'required' | 'disabled' | 'placeholder' | 'aria-describedby' | 'aria-invalid';

interface PlaceInputProps extends Pick<InputHTMLAttributes, Further> {
  /** Unique on the page. */
  readonly id: string;
  readonly known: readonly string[];
  readonly onType: (value: string) => void;
}

/** A field for a namespace or container with suggestions. */
export function NameInput({ id, known, onType, ...rest }: PlaceInputProps) {
  const list = `${id}-known`;
  return (
    <>
      <input
        autocomplete="off"
        spellcheck={false}
        maxLength={256}
        {...rest}
        id={id}
        class="input"
        list={list}
        onInput={(event) => onType(event.currentTarget.value)}
      />
      <datalist id={list}>
        {known.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}
