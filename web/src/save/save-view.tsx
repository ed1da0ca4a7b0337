import { useEffect, useRef } from 'preact/hooks';
import { go, useAddress } from '../address.ts';
import { Page } from '../parts/page.tsx';
import { Skeleton, State } from '../parts/state.tsx';
import { isKey } from '../shell/keys.ts';
import { useServer } from '../shell/server.tsx';
import '../styles/save-view.css';
import { useSuggested } from '../parts/use-suggested.ts';
import { texts } from '../texts.ts';
import { saveTexts } from './texts.ts';
import { EMPTY, NO_PREFILL, prefilled, readDraft } from './draft.ts';
import { NEAR_ID, NearCard } from './near-card.tsx';
import { ReceiptCard, type Receipt } from './receipt.tsx';
import { SaveFields } from './save-fields.tsx';
import { focusField, useSaving } from './use-saving.ts';
import type { SaveInput } from '../api/client.ts';
import type { Hit } from '../api/responses.ts';
import { nearTo } from '../api/near.ts';
import { Button } from '../parts/button.tsx';

type Saving = ReturnType<typeof useSaving>;

/** Moves the address fields into the form once; they are then a draft. */
function usePrefill(change: Saving['change']): void {
  const { q, ns, container, tags, priority } = useAddress();
  useEffect(() => {
    const patch = prefilled({ q, ns, container, tags, priority }, readDraft());
    if (patch === undefined) return;
    change(patch);
    go(NO_PREFILL, { replace: true });
  }, [q, ns, container, tags, priority]);
}

function showNear(): void {
  const card = document.getElementById(NEAR_ID);
  card?.scrollIntoView({ block: 'start' });
  card?.focus({ preventScroll: true });
}

/** The form, or why the key of this tab has none. */
export function SaveView() {
  const { mayWrite, health } = useServer();
  if (mayWrite) return <Form />;
  return health === undefined ? <Skeleton /> : <State icon="key" title={saveTexts.readOnly} text={saveTexts.readOnlyText} />;
}

/** The form on the left; similar memories and receipts on the right. */
function Form() {
  const saving = useSaving();
  const { input, busy, receipts } = saving;
  const near = useNear(input);
  usePrefill(saving.change);
  useEffect(() => focusField('content'), []);
  return (
    <Page title={texts.views.save} lead={saveTexts.lead}>
      <div class="save">
        <SaveForm saving={saving} near={near.length} />
        <div class="stack save-side">
          <NearCard
            near={near}
            busy={busy}
            onUpdate={(memory) => void saving.update(memory)}
            onSucceed={(memory) => void saving.succeed(memory)}
          />
          <Receipts receipts={receipts} busy={busy} onUndo={(receipt) => void saving.undo(receipt)} />
        </div>
      </div>
    </Page>
  );
}

function SaveForm({ saving, near }: { saving: Saving; near: number }) {
  const { input, busy, error, change, submit } = saving;
  const submitted = (event: Event): void => {
    event.preventDefault();
    void submit();
  };
  const pressed = (event: KeyboardEvent): void => {
    if (isKey(event, 'submit')) submitted(event);
  };
  const clear = (): void => {
    change(EMPTY);
    focusField('content');
  };
  return (
    <form class="stack" aria-label={saveTexts.form} noValidate onSubmit={submitted} onKeyDown={pressed}>
      <SaveFields input={input} error={error} onChange={change}>
        {near > 0 && <Button class="near-jump" look="sm" icon="near" label={saveTexts.near.show(near)} onClick={showNear} />}
      </SaveFields>
      <div class="row formfoot">
        <Button type="submit" look="primary lg" label={busy ? saveTexts.saving : saveTexts.save} disabled={busy} />
        <Button look="quiet lg" label={saveTexts.clear} onClick={clear} />
      </div>
    </form>
  );
}

function Receipts({ receipts, ...props }: { receipts: readonly Receipt[]; busy: boolean; onUndo: (receipt: Receipt) => void }) {
  const newest = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // If the form fills the screen, the receipt is below it.
    if (receipts.length > 0) newest.current?.scrollIntoView({ block: 'nearest' });
  }, [receipts.length]);
  return (
    <div class="stack" role="status" ref={newest}>
      {receipts.map((receipt, index) => (
        <ReceiptCard
          key={receipts.length - index}
          receipt={receipt}
          busy={props.busy}
          onUndo={() => props.onUndo(receipt)}
          onAnother={() => focusField('content')}
        />
      ))}
    </div>
  );
}

/** Shorter texts have too little meaning. */
const LEAST_CHARS = 10;
/** Minimum pause, which limits the load on the server. */
const MOST_CHARS = 20_000;
const PAUSE_MS = 400;
const NONE: readonly Hit[] = [];

/** Near duplicates and conflicting memories of the text being written, requested when typing pauses. Old results stay until the next response. */
function useNear({ content, namespace, global }: SaveInput): readonly Hit[] {
  const wish = { content: content.trim(), namespace, global };
  const isWorth = wish.content.length >= LEAST_CHARS && wish.content.length <= MOST_CHARS;
  const ask = isWorth ? (signal: AbortSignal) => nearTo(wish, signal) : undefined;
  return useSuggested(ask, { of: JSON.stringify(wish), pauseMs: PAUSE_MS, none: NONE });
}
