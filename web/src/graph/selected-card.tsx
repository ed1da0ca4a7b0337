import { lore } from '../api/client.ts';
import { useMemo } from 'preact/hooks';
import { go, useAddress } from '../address.ts';
import type { GraphNode } from '../api/graph.ts';
import { EntryText } from '../entry/entry-text.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { GLOBAL_NAMESPACE } from '../../../src/memory/vocabulary.ts';
import { PriorityMark } from '../parts/facts.tsx';
import { count } from '../parts/formats.ts';
import { Icon } from '../parts/icon.tsx';
import { shortened } from '../parts/plain-text.ts';
import { RelationMark } from '../parts/relation-mark.tsx';
import { markerFor } from '../search/marker.ts';
import { graphTexts } from './texts.ts';
import { entryTexts } from '../entry/texts.ts';
import { otherEnd, type Network, type RelationType, type Shown } from './network.ts';
import { Button, IconButton } from '../parts/button.tsx';

interface CardProps {
  readonly network: Network;
  readonly shown: Shown;
  readonly place: number;
  readonly pinned: boolean;
  readonly onUnpin: () => void;
  /** Selects another node, or none (-1). */
  readonly onSelect: (place: number) => void;
}

/** Relations of one type and direction, with the entries at their other ends. */
interface Group {
  readonly type: RelationType;
  readonly inward: boolean;
  readonly ends: readonly number[];
}

/** The visible relations of a node by type and direction; `similar` has no direction. */
export function groupsOf({ links, linksAt }: Network, shown: Shown, place: number): Group[] {
  const groups = new Map<string, { type: RelationType; inward: boolean; ends: number[] }>();
  for (const at of linksAt[place] ?? []) {
    const link = links[at];
    if (link === undefined || shown.links[at] !== 1) continue;
    const inward = link.target === place && link.type !== 'similar';
    const key = `${link.type} ${inward}`;
    const group = groups.get(key) ?? { type: link.type, inward, ends: [] };
    group.ends.push(otherEnd(link, place));
    groups.set(key, group);
  }
  return [...groups.values()];
}

export function SelectedCard({ network, shown, place, pinned, onUnpin, onSelect }: CardProps) {
  const { seed } = useAddress();
  const node = network.nodes[place];
  if (node === undefined) return null;
  const groups = groupsOf(network, shown, place);
  const seen = groups.reduce((sum, { ends }) => sum + ends.length, 0);
  return (
    <article class="g-float g-card" aria-label={graphTexts.card}>
      <CardHead node={node} onClear={() => onSelect(-1)} />
      <CardText key={node.id} node={node} />
      {groups.length === 0 ? (
        <p class="dim small">{graphTexts.noLinks}</p>
      ) : (
        <Groups {...{ groups, network, onSelect }} key={`${node.id} groups`} />
      )}
      {node.degree > seen && seen > 0 && <p class="dim small">{graphTexts.more2(node.degree - seen)}</p>}
      <div class="row row--wrap">
        <Button look="primary" class="grow" label={graphTexts.open} onClick={() => go({ id: node.id })} />
        {seed !== node.id && <Button icon="graph" label={graphTexts.neighbours} onClick={() => go({ seed: node.id, depth: '1', q: '' })} />}
        {pinned && <Button label={graphTexts.unpin} title={graphTexts.pinned} onClick={onUnpin} />}
      </div>
    </article>
  );
}

function CardHead({ node, onClear }: { node: GraphNode; onClear: () => void }) {
  return (
    <header class="row">
      <span class="facts grow">
        <span title={node.namespace}>
          <Icon name={node.namespace === GLOBAL_NAMESPACE ? 'globe' : 'ns'} />
          <span class="clip">{node.namespace}</span>
        </span>
        {node.priority !== 'normal' && <PriorityMark priority={node.priority} />}
        {node.superseded && (
          <span title={entryTexts.older}>
            <Icon name="history" />
            {entryTexts.types.in.supersedes}
          </span>
        )}
      </span>
      <IconButton icon="x" label={graphTexts.clear} size="xs" onClick={onClear} />
    </header>
  );
}

const SHOWN_CHARS = 700;

/** The text in its usual rendering; its beginning while the rest loads. Search words are marked. */
function CardText({ node }: { node: GraphNode }) {
  const { q } = useAddress();
  const { value } = useLoaded((signal) => lore.memories.get(node.id, { signal }), { about: node.id });
  const marker = useMemo(() => markerFor(q), [q]);
  const text = value?.content ?? node.label;
  return (
    <div class="g-text">
      <EntryText text={shortened(text, SHOWN_CHARS)} marker={marker} base={1} />
    </div>
  );
}

function Groups({ groups, network, onSelect }: { groups: readonly Group[]; network: Network; onSelect: (place: number) => void }) {
  return (
    <ul class="lined g-rels">
      {groups.map(({ type, inward, ends }) => (
        <li key={`${type} ${inward}`}>
          <details>
            <summary>
              <RelationMark type={type} inward={inward} />
              <span class="num hint hint--end">{count(ends.length)}</span>
              <Icon name="down" size="sm" />
            </summary>
            <ul class="g-ends">
              {ends.map((end) => (
                <li key={end}>
                  <button type="button" class="clip" onClick={() => onSelect(end)}>
                    {network.titles[end]?.whole}
                  </button>
                </li>
              ))}
            </ul>
          </details>
        </li>
      ))}
    </ul>
  );
}
