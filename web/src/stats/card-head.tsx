interface CardHeadProps {
  readonly id: string;
  readonly title: string;
  /** CSS class and meaning of each legend item. */
  readonly keys: readonly (readonly [sign: string, text: string])[];
  readonly note?: string;
}

/** The header of a chart card: title and legend. */
export function CardHead({ id, title, keys, note }: CardHeadProps) {
  return (
    <header class="row row--wrap card-h">
      <h2 id={id}>{title}</h2>
      {keys.length > 0 && (
        <ul class="key">
          {keys.map(([sign, text]) => (
            <li key={sign}>
              <i class={sign} />
              {text}
            </li>
          ))}
        </ul>
      )}
      {note !== undefined && <span class="dim">{note}</span>}
    </header>
  );
}
