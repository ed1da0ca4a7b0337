interface CardHeadProps {
  /** Of the heading, which names the card. */
  readonly id: string;
  readonly title: string;
  /** The class of each sign of the chart, and what it means. */
  readonly keys: readonly (readonly [sign: string, text: string])[];
  readonly note?: string;
}

/** The head of a card with a chart: what it shows, and the key to it. */
export function CardHead({ id, title, keys, note }: CardHeadProps) {
  return (
    <header class="card-h">
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
