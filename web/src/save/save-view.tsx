import { useEffect, useState } from 'preact/hooks';
import { ApiError, save, type SaveWish } from '../api/client.ts';
import { toast } from '../parts/toasts.tsx';
import { useServer } from '../shell/server.tsx';
import { texts } from '../texts.ts';
import { EMPTY, keepDraft, readDraft } from './draft.ts';
import { ReceiptCard, type Receipt } from './receipt.tsx';
import { fieldId, SaveFields, type FieldError } from './save-fields.tsx';

const FIELDS = ['content', 'tags', 'namespace', 'container', 'priority', 'global'] as const satisfies readonly (keyof SaveWish)[];
const KEPT_RECEIPTS = 5;

/** The field that a message of the server is about: its messages begin with the field's name. */
function fieldOf(message: string): keyof SaveWish | undefined {
  return FIELDS.find((field) => new RegExp(`^["'\`]?${field}\\b`).test(message));
}

const focus = (field: keyof SaveWish): void => document.getElementById(fieldId(field))?.focus();

/** The draft, and what becomes of it. */
function useSaving() {
  const { changed } = useServer();
  const [wish, setWish] = useState(readDraft);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<FieldError>();
  const [receipts, setReceipts] = useState<readonly Receipt[]>([]);
  const change = (patch: Partial<SaveWish>): void => {
    const next = { ...readDraft(), ...patch };
    keepDraft(next);
    setWish(next);
    setError(undefined);
  };
  const fail = (failure: ApiError): void => {
    const field = failure.status === 400 || failure.status === 413 ? (fieldOf(failure.message) ?? 'content') : undefined;
    setError({ field, message: failure.message });
    if (field === undefined) toast(texts.save.failed(failure.message), { bad: true });
    else focus(field);
  };
  const submit = async (): Promise<void> => {
    if (busy) return;
    setBusy(true);
    // Not the rendered one: the last key may have changed it a moment ago.
    const sent = readDraft();
    const started = performance.now();
    try {
      const answer = await save(sent);
      const receipt = { ...answer, content: sent.content, tookMs: performance.now() - started };
      setReceipts((before) => [receipt, ...before].slice(0, KEPT_RECEIPTS));
      // Where it belongs is kept for the next one.
      change({ content: '', tags: [] });
      changed();
      focus('content');
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure;
      fail(failure);
    } finally {
      setBusy(false);
    }
  };
  return { wish, busy, error, receipts, change, submit };
}

/** Form on the left, receipts of what was saved on the right. */
export function SaveView() {
  const { wish, busy, error, receipts, change, submit } = useSaving();
  useEffect(() => {
    document.title = texts.title(texts.views.save);
    focus('content');
  }, []);
  const submitted = (event: Event): void => {
    event.preventDefault();
    void submit();
  };
  const pressed = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submitted(event);
  };
  return (
    <div class="page">
      <header class="page-h">
        <div>
          <h1>{texts.save.title}</h1>
          <p>{texts.save.lead}</p>
        </div>
      </header>
      <div class="save">
        <form class="stack" aria-label={texts.save.form} noValidate onSubmit={submitted} onKeyDown={pressed}>
          <SaveFields wish={wish} error={error} onChange={change} />
          <div class="row formfoot">
            <button class="btn btn--primary btn--lg" disabled={busy}>
              {busy ? texts.save.saving : texts.save.save}
            </button>
            <button type="button" class="btn btn--quiet btn--lg" onClick={() => change(EMPTY)}>
              {texts.save.clear}
            </button>
          </div>
        </form>
        <div class="stack" role="status">
          {receipts.map((receipt, index) => (
            <ReceiptCard key={receipts.length - index} receipt={receipt} />
          ))}
        </div>
      </div>
    </div>
  );
}
