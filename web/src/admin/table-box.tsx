import type { ComponentChildren, RefObject } from 'preact';

interface TableBoxProps {
  readonly label: string;
  readonly columns: readonly ComponentChildren[];
  /** Name of the last column, of buttons, for screen readers. */
  readonly actions?: string | false;
  /** Further classes of the table, and of its box. */
  readonly class?: string;
  readonly box?: string;
  readonly frame?: RefObject<HTMLDivElement | null>;
  readonly children: ComponentChildren;
}

/** A table in a box. A wider one scrolls sideways, also by keyboard. */
export function TableBox({ label, columns, actions = false, class: extra = '', box = '', frame, children }: TableBoxProps) {
  return (
    <div {...(frame && { ref: frame })} class={`box scroll-x ${box}`} tabIndex={0} role="region" aria-label={label}>
      <table class={`table ${extra}`}>
        <thead>
          <tr>
            {columns.map((name, at) => (
              <th key={at}>{name}</th>
            ))}
            {actions !== false && (
              <th>
                <span class="sr">{actions}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
