import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import '../styles/table.css';

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

/** A table in a box. One that does not fit scrolls: then it is a tab stop, so that the keyboard reaches all of it. */
export function TableBox({ label, columns, actions = false, class: extra = '', box = 'box', frame, children }: TableBoxProps) {
  const own = useRef<HTMLDivElement>(null);
  const element = frame ?? own;
  const [scrolls, setScrolls] = useState(false);
  useEffect(() => {
    const around = element.current;
    if (around === null) return;
    const observer = new ResizeObserver(() =>
      setScrolls(around.scrollWidth > around.clientWidth || around.scrollHeight > around.clientHeight),
    );
    observer.observe(around);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={element} class={`scroll-x ${box}`} tabIndex={scrolls ? 0 : -1} role="region" aria-label={label}>
      <table class={`table ${extra}`}>
        <thead>
          <tr>
            {columns.map((name, at) => (
              <th key={at} scope="col">
                {name}
              </th>
            ))}
            {actions !== false && (
              <th scope="col">
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
