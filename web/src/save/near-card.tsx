import { useMemo } from 'preact/hooks';
import type { Hit, Memory } from '../api/responses.ts';
import { Facts } from '../parts/facts.tsx';
import { ratio } from '../parts/formats.ts';
import { Icon } from '../parts/icon.tsx';
import { Link } from '../parts/link.tsx';
import { RelationMark } from '../parts/relation-mark.tsx';
import { withoutTurns } from '../parts/plain-text.ts';
import { Marked } from '../parts/marked.tsx';
import { saveTexts } from './texts.ts';
import { entryTexts } from '../entry/texts.ts';
import { markerOf, partOf } from './near-marks.ts';
import { Button } from '../parts/button.tsx';

const SHOWN = 3;
const TEXT_CHARS = 280;
export const NEAR_ID = 'save-near';

/** How a memory is similar to the text. */
type Closeness = 'differs' | 'known' | 'near';

function closenessOf({ differs, repeats, score = 0 }: Hit): Closeness {
  if (differs !== undefined) return 'differs';
  return repeats !== undefined || score === 1 ? 'known' : 'near';
}

/** The common kind of all of them, else "similar". */
function closenessOfAll(near: readonly Hit[]): Closeness {
  const [first = 'near', ...others] = new Set(near.map(closenessOf));
  return others.length === 0 ? first : 'near';
}

interface NearCardProps {
  readonly near: readonly Hit[];
  readonly busy: boolean;
  readonly onUpdate: (memory: Memory) => void;
  readonly onSucceed: (memory: Memory) => void;
}

export function NearCard({ near, ...actions }: NearCardProps) {
  return (
    <div aria-live="polite" id={NEAR_ID} tabIndex={-1}>
      {near.length > 0 && (
        <section class="near" aria-labelledby="save-near-title">
          <h2 class="row small" id="save-near-title">
            <Icon name="near" />
            {saveTexts.near.title[closenessOfAll(near)]}
          </h2>
          <p class="small ink2">{saveTexts.near.text(near.length)}</p>
          {near.slice(0, SHOWN).map((hit) => (
            <NearItem key={hit.entry.id} hit={hit} {...actions} />
          ))}
          {near.length > SHOWN && <p class="small ink2">{saveTexts.near.more(near.length - SHOWN)}</p>}
        </section>
      )}
    </div>
  );
}

function NearItem({ hit, busy, onUpdate, onSucceed }: Omit<NearCardProps, 'near'> & { readonly hit: Hit }) {
  const { entry, score = 0 } = hit;
  const marker = useMemo(() => markerOf(hit), [hit]);
  const closeness = closenessOf(hit);
  return (
    <article class={`near-item near-item--${closeness}`}>
      <span class="near-facts">
        {closeness === 'near' ? (
          <span class="num">
            <b>{ratio(score)}</b> {saveTexts.near.alike}
          </span>
        ) : (
          <b>{saveTexts.near[closeness]}</b>
        )}
        <Facts memory={entry} />
      </span>
      <p>
        <Marked text={withoutTurns(partOf(entry.content, marker, TEXT_CHARS))} marker={marker} />
      </p>
      {hit.differs?.map(({ here, there }) => (
        <p key={`${here} ${there}`} class="near-value">
          {here !== '' && (
            <>
              {saveTexts.near.here} <ins>{here}</ins>
            </>
          )}
          {there !== '' && (
            <>
              {saveTexts.near[here === '' ? 'onlyThere' : 'there']} <mark>{there}</mark>
            </>
          )}
          {there === '' && saveTexts.near.notThere}
        </p>
      ))}
      <div class="row row--wrap">
        <Link class="btn btn--sm" to={{ view: 'save', id: entry.id }}>
          {entryTexts.details.open}
        </Link>
        <Button
          look="sm"
          label={saveTexts.near.update}
          disabled={busy}
          title={saveTexts.near.updateExplained}
          onClick={() => onUpdate(entry)}
        />
        <button type="button" class="btn btn--sm" disabled={busy} title={saveTexts.near.succeedExplained} onClick={() => onSucceed(entry)}>
          <RelationMark type="supersedes" words={saveTexts.near.succeed} />
        </button>
      </div>
    </article>
  );
}
