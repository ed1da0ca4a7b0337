import { Icon } from '../parts/icon.tsx';

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
    <span class="check">
      <input
        type="checkbox"
        aria-label={isHidden ? label : undefined}
        checked={checked}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span>
        <Icon name="check" />
      </span>
    </span>
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
