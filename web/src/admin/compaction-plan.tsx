import { useState } from 'preact/hooks';
import type { CompactReport } from '../api/administration.ts';
import { count } from '../parts/formats.ts';
import { Link } from '../parts/link.tsx';
import { Words } from '../parts/words.tsx';
import { texts } from '../texts.ts';
import { adminTexts } from './texts.ts';
import { ARCHIVE_REASONS } from './archive-reasons.ts';

const words = adminTexts.compaction;
const SHOWN = 20;

/** The entries that a compaction would archive, with reasons. */
export function CompactionPlan({ plan }: { plan: CompactReport }) {
  const { looked, archived, byReason, purged } = plan;
  if (archived === 0 && purged === 0) return <p class="small">{words.nothing(looked)}</p>;
  return (
    <div class="stack small-gap small">
      <p>{words.would(archived, looked)}</p>
      <ul class="chips dim">
        {ARCHIVE_REASONS.filter((reason) => byReason[reason] > 0).map((reason) => (
          <li key={reason}>
            {texts.archive.reasons[reason]} <span class="num">{count(byReason[reason])}</span>
          </li>
        ))}
      </ul>
      {purged > 0 && (
        <p>
          <Words text={words.purged(purged)} />
        </p>
      )}
      {plan.items.length > 0 && <Items plan={plan} />}
    </div>
  );
}

function Items({ plan: { items, archived } }: { plan: CompactReport }) {
  const [shown, setShown] = useState(SHOWN);
  return (
    <>
      <div class="box scroll-x plan" tabIndex={0} role="region" aria-label={words.table}>
        <table class="table stacks table--plain">
          <thead>
            <tr>
              <th>{adminTexts.archive.memory}</th>
              <th>{adminTexts.archive.namespace}</th>
              <th>{adminTexts.archive.why}</th>
            </tr>
          </thead>
          <tbody>
            {items.slice(0, shown).map(({ id, namespace, why, preview, survivor }) => (
              <tr key={id}>
                <td class="breaks">
                  <Link to={{ view: 'admin', part: 'archive', id }}>{preview}</Link>
                </td>
                <td class="ns-c">{namespace}</td>
                <td>
                  <span class="ink2">{why} </span>
                  {survivor !== undefined && (
                    <Link to={{ view: 'admin', part: 'archive', id: survivor }} class="linked">
                      {words.survivor}
                    </Link>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {items.length > shown ? (
        <div>
          <button type="button" class="btn btn--quiet btn--sm" onClick={() => setShown(items.length)}>
            {words.more(items.length - shown)}
          </button>
        </div>
      ) : (
        archived > items.length && <p class="dim">{words.rest(archived - items.length)}</p>
      )}
    </>
  );
}
