import type { SaveAnswer } from '../api/forms.ts';
import { Icon } from '../parts/icon.tsx';
import { Link } from '../parts/link.tsx';
import { texts } from '../texts.ts';

const TITLE_CHARS = 40;

export interface Receipt extends SaveAnswer {
  /** What was sent. */
  readonly content: string;
  readonly tookMs: number;
}

/** What became of one save. */
export function ReceiptCard({ receipt }: { receipt: Receipt }) {
  const { outcomes, ids, content, message } = receipt;
  const outcome = outcomes[0];
  const id = ids[0] ?? '';
  const duplicate = outcome?.status === 'duplicate';
  const line = content.trim().split('\n', 1)[0] ?? '';
  const title = line.length > TITLE_CHARS ? `${line.slice(0, TITLE_CHARS).trimEnd()}…` : line;
  return (
    <section class={duplicate ? 'receipt receipt--known' : 'receipt'} aria-label={texts.receipt.label}>
      <h2>
        <Icon name={duplicate ? 'info' : 'check'} />
        <span class="breaks">{duplicate ? texts.receipt.duplicate(title) : texts.receipt.stored(title)}</span>
      </h2>
      <p class="small ink2">{duplicate ? texts.receipt.duplicateText : message}</p>
      <dl class="kv">
        <dt>{texts.details.id}</dt>
        <dd>
          <code class="clip" title={id}>
            {id}
          </code>
        </dd>
        {outcome !== undefined && !duplicate && (
          <>
            <dt>{texts.receipt.passages}</dt>
            <dd>{texts.receipt.searchable(outcome.passages, outcome.vector === 'pending')}</dd>
          </>
        )}
        <dt>{texts.receipt.took}</dt>
        <dd class="num">{texts.ms(receipt.tookMs)}</dd>
      </dl>
      <div class="row">
        <Link class="btn btn--sm" to={{ id }}>
          {texts.details.open}
        </Link>
      </div>
    </section>
  );
}
