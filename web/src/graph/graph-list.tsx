import { useMemo, useState } from 'preact/hooks';
import { useAddress } from '../address.ts';
import { Bar } from '../parts/bar.tsx';
import { ratio } from '../parts/formats.ts';
import { Icon } from '../parts/icon.tsx';
import { Link } from '../parts/link.tsx';
import { RelationMark } from '../parts/relation-mark.tsx';
import { graphTexts } from './texts.ts';
import type { Network, NetworkLink, Shown } from './network.ts';
import { Button } from '../parts/button.tsx';

const COLUMNS = ['source', 'type', 'target', 'strength', 'origin'] as const;
type Column = (typeof COLUMNS)[number];
interface Order {
  readonly column: Column;
  readonly down: boolean;
}

const PAGE = 100;

function compare({ titles }: Network, column: Column): (a: NetworkLink, b: NetworkLink) => number {
  const label = (place: number): string => titles[place]?.whole ?? '';
  if (column === 'strength') return (a, b) => a.strength - b.strength;
  if (column === 'type') return (a, b) => a.type.localeCompare(b.type);
  if (column === 'origin') return (a, b) => a.relation.origin.localeCompare(b.relation.origin);
  return (a, b) => label(a[column]).localeCompare(label(b[column]));
}

interface ListProps {
  readonly network: Network;
  readonly shown: Shown;
  /** Only relations with an end among these nodes; undefined for all. */
  readonly matches: Uint8Array | undefined;
}

export function GraphList({ network, shown, matches }: ListProps) {
  const [order, setOrder] = useState<Order>({ column: 'strength', down: true });
  const [pages, setPages] = useState(1);
  const links = useMemo(() => {
    const seen = network.links.filter(
      ({ source, target }, at) => shown.links[at] === 1 && (matches === undefined || matches[source] === 1 || matches[target] === 1),
    );
    const sorted = seen.toSorted(compare(network, order.column));
    return order.down ? sorted.toReversed() : sorted;
  }, [network, shown, matches, order]);
  const visible = links.slice(0, pages * PAGE);
  const sortBy = (column: Column): void =>
    setOrder((before) => ({ column, down: before.column === column ? !before.down : column === 'strength' }));
  return (
    <div class="g-list">
      {links.length === 0 && <p class="ink2">{graphTexts.notFound}</p>}
      {links.length > 0 && (
        <table class="table g-table">
          <caption class="sr">{graphTexts.table.caption}</caption>
          <Head order={order} onSort={sortBy} />
          <tbody>
            {visible.map((link) => (
              <Row key={`${link.source} ${link.target} ${link.type}`} link={link} network={network} />
            ))}
          </tbody>
        </table>
      )}
      <p class="row g-list-foot">
        <span class="dim small" role="status">
          {graphTexts.table.shown(visible.length, links.length)}
        </span>
        {visible.length < links.length && <Button label={graphTexts.table.more} onClick={() => setPages(pages + 1)} />}
      </p>
    </div>
  );
}

function Head({ order, onSort }: { order: Order; onSort: (column: Column) => void }) {
  const sortOf = (column: Column) => (order.column === column ? (order.down ? 'descending' : 'ascending') : 'none');
  return (
    <thead>
      <tr>
        {COLUMNS.map((column) => (
          <th key={column} class={`g-col-${column}`} scope="col" aria-sort={sortOf(column)}>
            <button type="button" onClick={() => onSort(column)}>
              {graphTexts.table[column]}
              {order.column === column && <Icon name={order.down ? 'down' : 'up'} size="sm" />}
            </button>
          </th>
        ))}
      </tr>
    </thead>
  );
}

function Row({ link, network }: { link: NetworkLink; network: Network }) {
  const { type, strength, relation } = link;
  return (
    <tr>
      <td class="g-col-source">
        <End network={network} place={link.source} />
      </td>
      <td class="g-col-type">
        <RelationMark type={type} />
      </td>
      <td class="g-col-target">
        <End network={network} place={link.target} />
      </td>
      <td class="g-col-strength">
        <span class="row">
          <span class="num">{ratio(strength)}</span>
          <Bar share={strength} tone="o" />
        </span>
      </td>
      <td class="g-col-origin dim">{graphTexts.table.origins[relation.origin]}</td>
    </tr>
  );
}

function End({ network, place }: { network: Network; place: number }) {
  const address = useAddress();
  const node = network.nodes[place];
  if (node === undefined) return null;
  return (
    <>
      <Link class="clip under" to={{ ...address, id: node.id }} title={node.label}>
        {network.titles[place]?.whole}
      </Link>
      {network.clusters.length > 1 && <span class="dim">{node.namespace}</span>}
    </>
  );
}
