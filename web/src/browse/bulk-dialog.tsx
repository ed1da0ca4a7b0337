import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Memory } from '../api/responses.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Facts } from '../parts/facts.tsx';
import { type IconName } from '../parts/icon.tsx';
import { RowLine, unmarked } from '../parts/marked.tsx';
import { oneLine } from '../parts/plain-text.ts';
import { toast, attempt } from '../parts/toasts.tsx';
import { bulkTexts } from './bulk-texts.ts';
import { browseTexts } from './texts.ts';
import type { BulkResult } from './bulk.ts';
import type { PreviewState } from './use-preview.ts';
import { Button } from '../parts/button.tsx';

const SHOWN = 4;
const SHOWN_CHARS = 240;

export interface BulkProps {
  readonly onClose: () => void;
  readonly onDone: () => void;
  /** Called after the undo. */
  readonly onBack: () => void;
}

interface BulkDialogProps extends BulkProps {
  readonly title: string;
  readonly icon: IconName;
  readonly danger?: boolean;
  /** The first selected entries. */
  readonly first: readonly Memory[];
  readonly total: number;
  /** Description of the preview; undefined while it loads. */
  readonly would: string | undefined;
  readonly state: PreviewState;
  readonly confirm: (changes: number) => string;
  readonly keep: string;
  /** Description of the result. */
  readonly said: (done: BulkResult) => string;
  readonly children?: ComponentChildren;
}

function announce({ said, onBack }: Pick<BulkDialogProps, 'said' | 'onBack'>, done: BulkResult, icon: IconName): void {
  const words = bulkTexts;
  const undo = async (): Promise<void> => {
    await attempt(async () => toast(words.back(await done.undo())), browseTexts.refused);
    onBack();
  };
  const left = done.left > 0 ? ` ${words.left(done.left)}` : '';
  const refused = done.refused === undefined ? '' : ` ${words.restRefused(done.refused.message)}`;
  const bad = done.refused !== undefined;
  toast(`${said(done)}.${left}${refused}`, { ...(bad ? { bad } : { icon }), undo: () => void undo() });
}

/** Shows a preview with the number of entries, runs the action, and offers undo. */
export function BulkDialog(props: BulkDialogProps) {
  const { title, icon, danger = false, state, confirm, keep, onClose, onDone, children } = props;
  const [busy, setBusy] = useState(false);
  const leaving = useRef(new AbortController());
  useEffect(() => () => leaving.current.abort(), []);
  const { preview } = state;
  const changes = preview?.changes ?? 0;
  const apply = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (preview === undefined || changes === 0 || busy) return;
    setBusy(true);
    const isDone = await attempt(async () => {
      const done = await preview.apply(leaving.current.signal);
      onDone();
      announce(props, done, icon);
    }, browseTexts.refused);
    if (isDone) return;
    setBusy(false);
    state.again();
  };
  return (
    <Dialog class="modal ask bulk-ask" labelledBy="bulk-title" onClose={onClose}>
      <form class="state" onSubmit={(event) => void apply(event)}>
        <h2 id="bulk-title">{title}</h2>
        {children}
        <Outlook {...props} />
        <div class="row row--wrap">
          <Button
            type="submit"
            look={danger ? 'danger' : 'primary'}
            icon={icon}
            label={busy ? bulkTexts.working : confirm(changes)}
            disabled={busy || changes === 0}
            autofocus={children === undefined}
          />
          <Button look="quiet" label={keep} onClick={onClose} />
        </div>
      </form>
    </Dialog>
  );
}

function Outlook({ first, total, would, state }: Pick<BulkDialogProps, 'first' | 'total' | 'would' | 'state'>) {
  const shown = first.slice(0, SHOWN);
  const { refused } = state;
  return (
    <>
      <p role={refused === undefined ? 'status' : 'alert'} class={refused === undefined ? undefined : 'error'}>
        {refused ?? would ?? bulkTexts.looking}
      </p>
      {shown.length > 0 && (
        <ul class="near-item wide bulk-first">
          {shown.map((memory) => (
            <li key={memory.id}>
              <p class="clip">
                <RowLine text={oneLine(memory.content, SHOWN_CHARS)} marker={unmarked} />
              </p>
              <Facts memory={memory} />
            </li>
          ))}
          {total > shown.length && <li class="dim">{bulkTexts.andMore(total - shown.length)}</li>}
        </ul>
      )}
    </>
  );
}
