import type { InputHTMLAttributes } from 'preact';
import { Icon } from './icon.tsx';

type BoxProps = Pick<InputHTMLAttributes, 'aria-label' | 'checked' | 'tabIndex' | 'onFocus' | 'onClick' | 'onChange'>;

/** The checkbox alone; the user of it adds a label. */
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
  /** Label, visible unless `isHidden`. */
  readonly label: string;
  readonly isHidden?: boolean;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}

export function Check({ label, isHidden = false, checked, onChange }: CheckProps) {
  const box = (
    <CheckBox aria-label={isHidden ? label : undefined} checked={checked} onChange={(event) => onChange(event.currentTarget.checked)} />
  );
  return isHidden ? (
    box
  ) : (
    <label class="row checkline">
      {box}
      {label}
    </label>
  );
}
