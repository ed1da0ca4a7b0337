import type { SaveInput } from '../api/client.ts';
import type { SaveOutcome } from '../api/responses.ts';
import { ratio } from '../parts/formats.ts';
import { Icon } from '../parts/icon.tsx';
import { Link } from '../parts/link.tsx';
import { titleOf } from '../parts/plain-text.ts';
import { texts } from '../texts.ts';
import { saveTexts } from './texts.ts';
import { entryTexts } from '../entry/texts.ts';
import { Button } from '../parts/button.tsx';

const TITLE_CHARS = 40;

export interface Receipt {
  readonly kind: SaveOutcome['status'] | 'updated';
  readonly id: string;
  readonly sent: SaveInput;
  readonly tookMs: number;
  readonly undone: boolean;
  /** Whether it was archived, not deleted permanently. */
  readonly archived?: boolean;
  /** ISO 8601: the version that the change created. */
  readonly updatedAt?: string;
  /** The server's receipt of a save. */
  readonly outcome: SaveOutcome | undefined;
  readonly supersedes?: string;
}

const open = (id: string) => ({ view: 'save', id }) as const;

function headingOf({ kind, undone, sent }: Receipt): string {
  const [line = ''] = sent.content.trim().split('\n', 1);
  return saveTexts.receipt[undone ? 'undone' : kind](titleOf({ content: line }, TITLE_CHARS));
}

function textOf({ kind, undone, archived = false }: Receipt): string {
  if (archived) return saveTexts.receipt.archived;
  if (undone) return kind === 'updated' ? saveTexts.receipt.updateUndone : saveTexts.receipt.undoneText;
  return kind === 'duplicate' ? saveTexts.receipt.duplicateText : '';
}

interface ReceiptCardProps {
  readonly receipt: Receipt;
  readonly busy: boolean;
  readonly onUndo: () => void;
  readonly onAnother: () => void;
}

export function ReceiptCard({ receipt, busy, onUndo, onAnother }: ReceiptCardProps) {
  const { kind, id, undone } = receipt;
  const isNew = kind !== 'duplicate' && !undone;
  const text = textOf(receipt);
  return (
    <section class={isNew ? 'receipt' : 'receipt receipt--known'} aria-label={saveTexts.receipt.label}>
      <h2 class="row small">
        <Icon name={undone ? 'restore' : isNew ? 'check' : 'info'} />
        <span class="breaks">{headingOf(receipt)}</span>
      </h2>
      {text !== '' && <p class="small ink2">{text}</p>}
      {!undone && <ReceiptFacts receipt={receipt} />}
      {!(undone && kind !== 'updated') && (
        <div class="row row--wrap">
          <Link class="btn btn--sm" to={open(id)}>
            {entryTexts.details.open}
          </Link>
          {isNew && <Button look="quiet sm" label={saveTexts.receipt.undo} disabled={busy} onClick={onUndo} />}
          <Button look="quiet sm" label={saveTexts.receipt.another} onClick={onAnother} />
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
        <dt>{entryTexts.details.id}</dt>
        <dd>
          <code class="clip" title={id}>
            {id}
          </code>
        </dd>
        {outcome !== undefined && kind === 'stored' && (
          <>
            <dt>{saveTexts.receipt.passages}</dt>
            <dd>{saveTexts.receipt.searchable(outcome.passages, outcome.vector === 'pending')}</dd>
          </>
        )}
        <NearLinks words={saveTexts.receipt.linked} near={near.filter(({ differs }) => differs === undefined)} />
        <NearLinks words={saveTexts.receipt.differing} near={near.filter(({ differs }) => differs !== undefined)} />
        {supersedes !== undefined && (
          <>
            <dt>{saveTexts.receipt.successor}</dt>
            <dd>
              <Link class="link" to={open(supersedes)}>
                {saveTexts.receipt.older}
              </Link>
            </dd>
          </>
        )}
        {redactions.length > 0 && (
          <>
            <dt>{saveTexts.receipt.hidden}</dt>
            <dd>{redactions.join(', ')}</dd>
          </>
        )}
        <dt>{saveTexts.receipt.took}</dt>
        <dd class="num">{texts.ms(tookMs)}</dd>
      </dl>
      {warnings.map((warning) => (
        <p key={warning} class="receipt-warning small">
          <Icon name="warn" />
          <span>
            <b>{saveTexts.receipt.warning}.</b> {warning}
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
          <Link key={id} class="link" to={open(id)} title={saveTexts.receipt.openAlike(ratio(similarity))}>
            {differs?.map(({ there }) => there || saveTexts.receipt.nothing).join(', ') ?? ratio(similarity)}
          </Link>
        ))}
      </dd>
    </>
  );
}
