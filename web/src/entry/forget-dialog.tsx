import { useState } from 'preact/hooks';
import { ApiError, forget } from '../api/client.ts';
import type { Memory } from '../api/forms.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Facts } from '../parts/facts.tsx';
import { Icon } from '../parts/icon.tsx';
import { toast } from '../parts/toasts.tsx';
import { useServer } from '../shell/server.tsx';
import { texts } from '../texts.ts';

const EXCERPT_CHARS = 200;

interface ForgetDialogProps {
  readonly memory: Memory;
  readonly onKeep: () => void;
  readonly onForgotten: () => void;
}

/** Asks before a memory is removed for good. */
export function ForgetDialog({ memory, onKeep, onForgotten }: ForgetDialogProps) {
  const { changed } = useServer();
  const [busy, setBusy] = useState(false);
  const remove = async (): Promise<void> => {
    setBusy(true);
    try {
      await forget(memory.id);
      toast(texts.forget.done, { icon: 'forget' });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setBusy(false);
      // Someone else was faster: what was wanted is so.
      if (error.status !== 404) return toast(texts.forget.failed(error.message), { bad: true });
      toast(texts.forget.gone);
    }
    onForgotten();
    changed();
  };
  const { content } = memory;
  return (
    <Dialog class="modal ask" labelledBy="forget-title" onClose={onKeep}>
      <div class="state">
        <h2 id="forget-title">{texts.forget.title}</h2>
        <p>{texts.forget.explained}</p>
        <div class="near-item wide">
          <p>{content.length > EXCERPT_CHARS ? `${content.slice(0, EXCERPT_CHARS)}…` : content}</p>
          <Facts memory={memory} />
        </div>
        <div class="row">
          <button type="button" class="btn btn--danger" disabled={busy} onClick={() => void remove()}>
            <Icon name="forget" />
            {texts.forget.confirm}
          </button>
          <button type="button" class="btn btn--quiet" onClick={onKeep}>
            {texts.forget.keep}
          </button>
        </div>
      </div>
    </Dialog>
  );
}
