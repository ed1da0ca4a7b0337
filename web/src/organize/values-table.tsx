import { GLOBAL_NAMESPACE, type ValueField } from '../../../src/memory/vocabulary.ts';
import type { Address } from '../address.ts';
import { iconOf } from '../entry/entity-list.tsx';
import { Button } from '../parts/button.tsx';
import { count } from '../parts/formats.ts';
import { Icon, type IconName } from '../parts/icon.tsx';
import { Link } from '../parts/link.tsx';
import { useServer } from '../shell/server.tsx';
import { organizeTexts as words } from './texts.ts';
import '../styles/table.css';
import '../styles/organize.css';

export type Sort = 'value' | '-entries';

interface About {
  readonly icon: (value: string) => IconName;
  /** The memories that have it. */
  readonly held: (value: string) => Partial<Address>;
}
const ABOUT: Readonly<Record<ValueField, About>> = {
  namespaces: { icon: (ns) => (ns === GLOBAL_NAMESPACE ? 'globe' : 'ns'), held: (ns) => ({ ns }) },
  tags: { icon: () => 'tag', held: (tag) => ({ tags: [tag] }) },
  entities: { icon: iconOf, held: (name) => ({ view: 'organize', part: 'entities', name }) },
};

interface ValuesTableProps {
  readonly field: ValueField;
  readonly values: readonly { readonly value: string; readonly entries: number }[];
  readonly sort: Sort;
  readonly onSort: (sort: Sort) => void;
  readonly onRename: (value: string) => void;
}

/** One page of values, each with a link to its memories, and a rename button if the key allows it. */
export function ValuesTable({ field, values, sort, onSort, onRename }: ValuesTableProps) {
  const { mayWrite, health } = useServer();
  const mayRename = mayWrite && (field !== 'namespaces' || health?.key.namespace === undefined);
  const { icon, held } = ABOUT[field];
  const head = (by: Sort, name: string) => (
    <th aria-sort={sort === by ? (by === 'value' ? 'ascending' : 'descending') : undefined}>
      <button type="button" onClick={() => onSort(by)}>
        {name}
        {sort === by && <Icon name={by === 'value' ? 'up' : 'down'} size="sm" />}
      </button>
    </th>
  );
  return (
    <div class="box">
      <table class="table organize">
        <thead>
          <tr>
            {head('value', words.one[field])}
            {head('-entries', words.memories)}
            {mayRename && (
              <th>
                <span class="sr">{words.action}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {values.map(({ value, entries }) => (
            <tr key={value}>
              <td>
                <Link to={held(value)}>
                  <Icon name={icon(value)} size="sm" />
                  <span dir="auto">{value}</span>
                </Link>
              </td>
              <td class="num">{count(entries)}</td>
              {mayRename && (
                <td>
                  {(field !== 'namespaces' || value !== GLOBAL_NAMESPACE) && (
                    <Button look="quiet sm" label={words.rename} aria-label={words.renameOne(value)} onClick={() => onRename(value)} />
                  )}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
