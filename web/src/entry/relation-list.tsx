import { useState } from 'preact/hooks';
import { ApiError } from '../api/client.ts';
import { relate, unrelate, type Relation } from '../api/entries.ts';
import type { Memory } from '../api/forms.ts';
import { Icon } from '../parts/icon.tsx';
import { Link } from '../parts/link.tsx';
import { fullMoment, ratio } from '../parts/formats.ts';
import { RelationMark } from '../parts/relation-mark.tsx';
import { toast } from '../parts/toasts.tsx';
import { useServer } from '../shell/server.tsx';
import { texts } from '../texts.ts';
import { DetailSection } from './detail-section.tsx';
import { firstLine } from './first-line.ts';
import { OpenEntry } from './open-entry.tsx';
import { RelationForm } from './relation-form.tsx';
import type { Loaded } from './use-loaded.ts';

const HEADING = 'details-relations';

interface RelationListProps {
  readonly id: string;
  readonly relations: readonly Relation[];
  /** The memories at the other ends. */
  readonly related: Loaded<ReadonlyMap<string, Memory>>;
}

/** What a memory has to do with others, both ways. */
export function RelationList({ id, relations, related: { value: others, error, again } }: RelationListProps) {
  const { changed } = useServer();
  const [adding, setAdding] = useState(false);
  const outward = relations.filter(({ sourceId }) => sourceId === id).length;
  const close = (): void => {
    setAdding(false);
    document.getElementById(HEADING)?.focus();
  };
  const remove = async (relation: Relation): Promise<void> => {
    try {
      await unrelate(relation);
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure;
      return toast(texts.entry.notUnrelated(failure.message), { bad: true });
    }
    document.getElementById(HEADING)?.focus();
    changed();
    toast(texts.entry.unrelated, { undo: () => void putBack(relation, changed) });
  };
  return (
    <DetailSection
      id={HEADING}
      title={texts.entry.relations}
      note={texts.entry.relationsBoth(outward, relations.length - outward)}
      tools={<Tools id={id} any={relations.length > 0} adding={adding} onAdd={() => setAdding(true)} />}
      error={error}
      onRetry={again}
    >
      {relations.length === 0 && !adding && <p class="dim sec-none">{texts.entry.noRelations}</p>}
      <ul class="rels">
        {relations.map((relation) => (
          <RelationRow
            key={`${relation.sourceId} ${relation.type} ${relation.targetId}`}
            relation={relation}
            inward={relation.sourceId !== id}
            other={others?.get(relation.sourceId === id ? relation.targetId : relation.sourceId)}
            loaded={others !== undefined}
            onRemove={() => void remove(relation)}
          />
        ))}
      </ul>
      {adding && <RelationForm id={id} onClose={close} />}
    </DetailSection>
  );
}

async function putBack({ sourceId, type, targetId, strength }: Relation, changed: () => void): Promise<void> {
  try {
    await relate({ sourceId, type, targetId, strength });
    changed();
  } catch (failure) {
    if (!(failure instanceof ApiError)) throw failure;
    toast(texts.entry.notRelated(failure.message), { bad: true });
  }
}

function Tools({ id, any, adding, onAdd }: { id: string; any: boolean; adding: boolean; onAdd: () => void }) {
  return (
    <>
      {!adding && (
        <button type="button" class="btn btn--quiet btn--sm" aria-label={texts.entry.addRelation} onClick={onAdd}>
          <Icon name="plus" size="sm" />
          {texts.entry.add}
        </button>
      )}
      {any && (
        <Link class="btn btn--quiet btn--sm" to={{ view: 'graph', seed: id }}>
          <Icon name="graph" size="sm" />
          {texts.entry.showInGraph}
        </Link>
      )}
    </>
  );
}

interface RelationRowProps {
  readonly relation: Relation;
  readonly inward: boolean;
  readonly other: Memory | undefined;
  /** Whether the others were loaded: one that is missing then is out of reach. */
  readonly loaded: boolean;
  readonly onRemove: () => void;
}

function RelationRow({ relation, inward, other, loaded, onRemove }: RelationRowProps) {
  const { type, strength, origin, createdAt } = relation;
  const title = other === undefined ? (loaded ? texts.entry.notReachable : '…') : firstLine(other);
  const remove = texts.entry.removeRelation(texts.entry.types[inward ? 'in' : 'out'][type], title);
  const target = inward ? relation.sourceId : relation.targetId;
  return (
    <li>
      <RelationMark type={type} inward={inward} />
      <OpenEntry id={target} title={title} />
      <span class="num rel-how" title={fullMoment(createdAt)}>
        <span title={texts.entry.strength}>
          <span class="sr">{texts.entry.strength} </span>
          {ratio(strength)}
        </span>
        <span>{texts.entry.origins[origin]}</span>
      </span>
      <button type="button" class="icon-btn icon-btn--sm" aria-label={remove} title={remove} onClick={onRemove}>
        <Icon name="x" size="sm" />
      </button>
    </li>
  );
}
