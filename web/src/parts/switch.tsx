interface SwitchProps {
  readonly label: string;
  /** Description in a line below. */
  readonly hint: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}

export function Switch({ label, hint, checked, onChange }: SwitchProps) {
  return (
    <label class="row switchline">
      <span class="switch">
        <input type="checkbox" role="switch" checked={checked} onChange={(event) => onChange(event.currentTarget.checked)} />
        <span />
      </span>
      <span>
        <b class="lbl">{label}</b>
        <br />
        <span class="hint">{hint}</span>
      </span>
    </label>
  );
}
