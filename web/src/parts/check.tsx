import type { InputHTMLAttributes } from 'preact';
import { Icon } from './icon.tsx';

type BoxProps = Pick<InputHTMLAttributes, 'aria-label' | 'checked' | 'tabIndex' | 'onFocus' | 'onClick' | 'onChange'>;

/** The box alone; anyone who uses it names it. */
export function CheckBox(props: BoxProps) {
  return (
    <span class="check">
      <input {...props} type="checkbox" />
      <span>
        <Icon name="check" />
      </span>
    </span>
  );
}

interface CheckProps {
  /** Said by a screen reader; also shown, unless `isHidden`. */
  readonly label: string;
  readonly isHidden?: boolean;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}

/** A checkbox in the look of the page. */
export function Check({ label, isHidden = false, checked, onChange }: CheckProps) {
  const box = (
    <CheckBox aria-label={isHidden ? label : undefined} checked={checked} onChange={(event) => onChange(event.currentTarget.checked)} />
  );
  return isHidden ? (
    box
  ) : (
    <label class="checkline">
      {box}
      {label}
    </label>
  );
}
