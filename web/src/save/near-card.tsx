import type { Hit, Memory } from '../api/forms.ts';
import { Facts } from '../parts/facts.tsx';
import { ratio } from '../parts/formats.ts';
import { Icon } from '../parts/icon.tsx';
import { Link } from '../parts/link.tsx';
import { shortened } from '../parts/plain-text.ts';
import { RelationMark } from '../parts/relation-mark.tsx';
import { texts } from '../texts.ts';

const SHOWN = 3;
const TEXT_CHARS = 280;
export const NEAR_ID = 'save-near';

interface NearCardProps {
  readonly near: readonly Hit[];
  readonly busy: boolean;
  readonly onUpdate: (memory: Memory) => void;
  readonly onSucceed: (memory: Memory) => void;
}

/** What is known already and says nearly the same as what is being written, and what to do about it. */
export function NearCard({ near, ...actions }: NearCardProps) {
  return (
    <div aria-live="polite" id={NEAR_ID} tabIndex={-1}>
      {near.length > 0 && (
        <section class="near" aria-labelledby="save-near-title">
          <h2 id="save-near-title">
            <Icon name="near" />
            {texts.near.title}
          </h2>
          <p>{texts.near.text(near.length)}</p>
          {near.slice(0, SHOWN).map((hit) => (
            <NearItem key={hit.entry.id} hit={hit} {...actions} />
          ))}
          {near.length > SHOWN && <p>{texts.near.more(near.length - SHOWN)}</p>}
        </section>
      )}
    </div>
  );
}

function NearItem({ hit: { entry, score = 0 }, busy, onUpdate, onSucceed }: Omit<NearCardProps, 'near'> & { readonly hit: Hit }) {
  const { content } = entry;
  return (
    <article class="near-item">
      <span class="near-facts">
        <span class="num">
          <b>{ratio(score)}</b> {texts.near.alike}
        </span>
        <Facts memory={entry} />
      </span>
      <p>{shortened(content, TEXT_CHARS)}</p>
      <div class="row row--wrap">
        <Link class="btn btn--sm" to={{ view: 'save', id: entry.id }}>
          {texts.details.open}
        </Link>
        <button type="button" class="btn btn--sm" disabled={busy} title={texts.near.updateExplained} onClick={() => onUpdate(entry)}>
          {texts.near.update}
        </button>
        <button type="button" class="btn btn--sm" disabled={busy} title={texts.near.succeedExplained} onClick={() => onSucceed(entry)}>
          <RelationMark type="supersedes" words={texts.near.succeed} />
        </button>
      </div>
    </article>
  );
}
