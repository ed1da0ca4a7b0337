import { Fragment, type ComponentChildren } from 'preact';

export type Row = readonly [name: string, value: ComponentChildren];

export function KeyValues({ rows }: { rows: readonly Row[] }) {
  return (
    <dl class="kv">
      {rows.map(([name, value]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}
