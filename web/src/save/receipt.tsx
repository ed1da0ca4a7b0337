import type { SaveWish } from '../api/client.ts';
import type { SaveOutcome } from '../api/forms.ts';
import { ratio } from '../parts/formats.ts';
import { Icon } from '../parts/icon.tsx';
import { Link } from '../parts/link.tsx';
import { titleOf } from '../parts/plain-text.ts';
import { texts } from '../texts.ts';

const TITLE_CHARS = 40;

/** What became of something that was written. */
export interface Receipt {
  readonly kind: SaveOutcome['status'] | 'updated';
  readonly id: string;
  /** What was sent. */
  readonly sent: SaveWish;
  readonly tookMs: number;
  readonly undone: boolean;
  /** Whether it was not removed for good then. */
  readonly archived?: boolean;
  /** ISO 8601: the version that a change made. */
  readonly updatedAt?: string;
  /** What the server says of a save. */
  readonly outcome: SaveOutcome | undefined;
  /** The memory whose place it takes. */
  readonly supersedes?: string;
}

const open = (id: string) => ({ view: 'save', id }) as const;

function headingOf({ kind, undone, sent }: Receipt): string {
  const [line = ''] = sent.content.trim().split('\n', 1);
  return texts.receipt[undone ? 'undone' : kind](titleOf({ content: line }, TITLE_CHARS));
}

function textOf({ kind, undone, archived = false }: Receipt): string {
  if (archived) return texts.receipt.archived;
  if (undone) return kind === 'updated' ? texts.receipt.updateUndone : texts.receipt.undoneText;
  return kind === 'duplicate' ? texts.receipt.duplicateText : '';
}

interface ReceiptCardProps {
  readonly receipt: Receipt;
  readonly busy: boolean;
  readonly onUndo: () => void;
  readonly onAnother: () => void;
}

/** What became of one save, and the way back. */
export function ReceiptCard({ receipt, busy, onUndo, onAnother }: ReceiptCardProps) {
  const { kind, id, undone } = receipt;
  const isNew = kind !== 'duplicate' && !undone;
  const text = textOf(receipt);
  return (
    <section class={isNew ? 'receipt' : 'receipt receipt--known'} aria-label={texts.receipt.label}>
      <h2>
        <Icon name={undone ? 'restore' : isNew ? 'check' : 'info'} />
        <span class="breaks">{headingOf(receipt)}</span>
      </h2>
      {text !== '' && <p class="small ink2">{text}</p>}
      {!undone && <ReceiptFacts receipt={receipt} />}
      {!(undone && kind !== 'updated') && (
        <div class="row row--wrap">
          <Link class="btn btn--sm" to={open(id)}>
            {texts.details.open}
          </Link>
          {isNew && (
            <button type="button" class="btn btn--sm btn--quiet" disabled={busy} onClick={onUndo}>
              {texts.receipt.undo}
            </button>
          )}
          <button type="button" class="btn btn--sm btn--quiet" onClick={onAnother}>
            {texts.receipt.another}
          </button>
        </div>
      )}
    </section>
  );
}

function ReceiptFacts({ receipt: { id, kind, outcome, supersedes, tookMs } }: { receipt: Receipt }) {
  const { near = [], redactions = [], warnings = [] } = outcome ?? {};
  return (
    <>
      <dl class="kv">
        <dt>{texts.details.id}</dt>
        <dd>
          <code class="clip" title={id}>
            {id}
          </code>
        </dd>
        {outcome !== undefined && kind === 'stored' && (
          <>
            <dt>{texts.receipt.passages}</dt>
            <dd>{texts.receipt.searchable(outcome.passages, outcome.vector === 'pending')}</dd>
          </>
        )}
        <NearLinks words={texts.receipt.linked} near={near.filter(({ differs }) => differs === undefined)} />
        <NearLinks words={texts.receipt.differing} near={near.filter(({ differs }) => differs !== undefined)} />
        {supersedes !== undefined && (
          <>
            <dt>{texts.receipt.successor}</dt>
            <dd>
              <Link class="link" to={open(supersedes)}>
                {texts.receipt.older}
              </Link>
            </dd>
          </>
        )}
        {redactions.length > 0 && (
          <>
            <dt>{texts.receipt.hidden}</dt>
            <dd>{redactions.join(', ')}</dd>
          </>
        )}
        <dt>{texts.receipt.took}</dt>
        <dd class="num">{texts.ms(tookMs)}</dd>
      </dl>
      {warnings.map((warning) => (
        <p key={warning} class="receipt-warning small">
          <Icon name="warn" />
          <span>
            <b>{texts.receipt.warning}.</b> {warning}
          </span>
        </p>
      ))}
    </>
  );
}

function NearLinks({ words, near }: { words: string; near: NonNullable<SaveOutcome['near']> }) {
  if (near.length === 0) return null;
  return (
    <>
      <dt>{words}</dt>
      <dd class="receipt-near num">
        {near.map(({ id, similarity, differs }) => (
          <Link key={id} class="link" to={open(id)} title={texts.receipt.openAlike(ratio(similarity))}>
            {differs?.map(({ there }) => there || texts.receipt.nothing).join(', ') ?? ratio(similarity)}
          </Link>
        ))}
      </dd>
    </>
  );
}
