import { lore } from '../api/client.ts';
import { useState } from 'preact/hooks';
import { MOST_RELATED, unrelate, type Relation } from '../api/entries.ts';
import type { Memory } from '../api/responses.ts';
import { Icon } from '../parts/icon.tsx';
import { Link } from '../parts/link.tsx';
import { fullMoment, ratio } from '../parts/formats.ts';
import { RelationMark } from '../parts/relation-mark.tsx';
import { toast, attempt } from '../parts/toasts.tsx';
import { lazyView } from '../shell/lazy-view.tsx';
import { useServer } from '../shell/server.tsx';
import { entryTexts } from './texts.ts';
import { DetailSection } from './detail-section.tsx';
import { titleOf } from '../parts/plain-text.ts';
import { OpenEntry } from './open-entry.tsx';
import { useLoaded, type Loaded } from '../parts/use-loaded.ts';
import { WEAK_SCORE } from '../../../src/memory/vocabulary.ts';
import { Bar } from '../parts/bar.tsx';
import { Button, IconButton } from '../parts/button.tsx';

const RelationForm = lazyView(async () => (await import('./relation-form.tsx')).RelationForm);

const HEADING = 'details-relations';

interface RelationListProps {
  readonly id: string;
  readonly relations: readonly Relation[];
  /** The memories at the other ends. */
  readonly related: Loaded<ReadonlyMap<string, Memory>>;
}

/** Counts by direction; if not all are loaded, with the total. */
function useNote(id: string, relations: readonly Relation[]): string {
  const isCut = relations.length >= MOST_RELATED;
  const { value: total = 0 } = useLoaded(
    (signal) => (isCut ? lore.relations.list({ id, limit: 1 }, { signal }).then((page) => page.total) : Promise.resolve(0)),
    {
      about: `${id} ${isCut}`,
    },
  );
  const outward = relations.filter(({ sourceId }) => sourceId === id).length;
  return total > relations.length
    ? entryTexts.relationsOf(relations.length, total)
    : entryTexts.relationsBoth(outward, relations.length - outward);
}

export function RelationList({ id, relations, related: { value: others, error, again } }: RelationListProps) {
  const { changed, mayWrite } = useServer();
  const [adding, setAdding] = useState(false);
  const note = useNote(id, relations);
  const close = (): void => {
    setAdding(false);
    document.getElementById(HEADING)?.focus();
  };
  const remove = async (relation: Relation): Promise<void> => {
    if (!(await attempt(() => unrelate(relation), entryTexts.notUnrelated))) return;
    document.getElementById(HEADING)?.focus();
    changed();
    toast(entryTexts.unrelated, { undo: () => void putBack(relation, changed) });
  };
  return (
    <DetailSection
      id={HEADING}
      title={entryTexts.relations}
      note={note}
      tools={<Tools id={id} any={relations.length > 0} adding={adding} onAdd={mayWrite ? () => setAdding(true) : undefined} />}
      error={others === undefined ? error : undefined}
      onRetry={again}
    >
      {relations.length === 0 && !adding && <p class="dim small">{entryTexts.noRelations}</p>}
      <ul class="lined rels">
        {relations.map((relation) => (
          <RelationRow
            key={`${relation.sourceId} ${relation.type} ${relation.targetId}`}
            relation={relation}
            inward={relation.sourceId !== id}
            other={others?.get(relation.sourceId === id ? relation.targetId : relation.sourceId)}
            loaded={others}
            onRemove={mayWrite ? () => void remove(relation) : undefined}
          />
        ))}
      </ul>
      {adding && <RelationForm id={id} onClose={close} />}
    </DetailSection>
  );
}

async function putBack({ sourceId, type, targetId, strength }: Relation, changed: () => void): Promise<void> {
  if (await attempt(() => lore.relations.relate({ sourceId, type, targetId, strength }), entryTexts.notRelated)) changed();
}

function Tools({ id, any, adding, onAdd }: { id: string; any: boolean; adding: boolean; onAdd: (() => void) | undefined }) {
  return (
    <>
      {!adding && onAdd !== undefined && (
        <Button look="quiet sm" icon="plus" label={entryTexts.add} aria-label={entryTexts.addRelation} onClick={onAdd} />
      )}
      {any && (
        <Link class="btn btn--quiet btn--sm" to={{ view: 'graph', seed: id }}>
          <Icon name="graph" size="sm" />
          {entryTexts.showInGraph}
        </Link>
      )}
    </>
  );
}

interface RelationRowProps {
  readonly relation: Relation;
  readonly inward: boolean;
  readonly other: Memory | undefined;
  /** The related memories, once loaded. */
  readonly loaded: ReadonlyMap<string, Memory> | undefined;
  /** Undefined if the key has no write access. */
  readonly onRemove: (() => void) | undefined;
}

/** If all were loaded, a missing one is not accessible; else it may not be loaded. */
function titleWithout(id: string, loaded: RelationRowProps['loaded']): string {
  if (loaded === undefined) return '…';
  return loaded.size < MOST_RELATED ? entryTexts.notReachable : id;
}

function RelationRow({ relation, inward, other, loaded, onRemove }: RelationRowProps) {
  const { type, strength, origin, createdAt } = relation;
  const target = inward ? relation.sourceId : relation.targetId;
  const title = other === undefined ? titleWithout(target, loaded) : titleOf(other);
  const remove = entryTexts.removeRelation(entryTexts.types[inward ? 'in' : 'out'][type], title);
  return (
    <li>
      <RelationMark type={type} inward={inward} />
      <OpenEntry id={target} title={title} />
      <span class="num hint rel-how" title={fullMoment(createdAt)}>
        <span title={entryTexts.strength}>
          <span class="sr">{entryTexts.strength} </span>
          {ratio(strength)}
        </span>
        <span>{entryTexts.origins[origin]}</span>
      </span>
      {onRemove !== undefined && <IconButton icon="x" label={remove} size="xs" onClick={onRemove} />}
    </li>
  );
}

/** The nearest memories by meaning. */
export function SimilarList({ id }: { id: string }) {
  const { value, error, again } = useLoaded((signal) => lore.details.similar(id, {}, { signal }), { about: id });
  if (value === undefined && error === undefined) return null;
  const results = value?.results.filter(({ score }) => score >= WEAK_SCORE) ?? [];
  return (
    <DetailSection
      id="details-similar"
      title={entryTexts.similar}
      note={results.length > 0 ? String(results.length) : undefined}
      error={value === undefined ? error : undefined}
      onRetry={again}
    >
      {results.length === 0 && <p class="dim small">{value?.vector === 'pending' ? entryTexts.pending : entryTexts.noneSimilar}</p>}
      <ul class="lined rels">
        {results.map(({ entry, score }) => (
          <li key={entry.id}>
            <span class="row">
              <span class="num hint">{ratio(score)}</span>
              <Bar share={score} />
            </span>
            <OpenEntry id={entry.id} title={titleOf(entry)} />
            <span class="num clip hint" title={entry.metadata.namespace}>
              {entry.metadata.namespace}
            </span>
          </li>
        ))}
      </ul>
    </DetailSection>
  );
}
