import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { go } from '../address.ts';
import type { ApiError } from '../api/client.ts';
import type { Hit, Memory } from '../api/forms.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Icon } from '../parts/icon.tsx';
import { Failure, Skeleton, State } from '../parts/state.tsx';
import { isKey } from '../shell/keys.ts';
import { KeySigns } from '../shell/key-signs.tsx';
import { useServer } from '../shell/server.tsx';
import { texts } from '../texts.ts';
import { entryTexts } from './texts.ts';
import { useBehind } from './behind.tsx';
import { EditForm } from './edit-form.tsx';
import { EntryActions } from './entry-actions.tsx';
import { EntryDetails } from './entry-details.tsx';
import { begunWith, useEditing } from './use-editing.ts';
import { useEntry } from './use-entry.ts';

const EDIT_BUTTON = 'details-edit';
const close = (): void => go({ id: '' });

/** Whether a key is meant for what has the focus: something typed into, or something that scrolls sideways. */
const isTaken = ({ target, key, metaKey, ctrlKey, altKey }: KeyboardEvent): boolean =>
  metaKey ||
  ctrlKey ||
  altKey ||
  (target instanceof HTMLElement &&
    (target.closest('input, textarea, select, dialog dialog') !== null ||
      (key.startsWith('Arrow') && target.closest('pre, .md-table') !== null)));

/** Goes to the neighbours of a memory in the list behind it. Keys come faster than renders: each goes on from where the last one led. */
function useSteps(hits: readonly Hit[], place: number): (by: number) => void {
  const at = useRef(place);
  at.current = place;
  return (by) => {
    const to = at.current < 0 ? undefined : hits[at.current + by];
    if (to === undefined) return;
    at.current += by;
    go({ id: to.entry.id }, { replace: true });
  };
}

/** After an editing the focus is on the button that began it. */
function useFocusBack(isEditing: boolean): void {
  const was = useRef(isEditing);
  useLayoutEffect(() => {
    if (was.current && !isEditing) document.getElementById(EDIT_BUTTON)?.focus();
    was.current = isEditing;
  }, [isEditing]);
}

/** The details of one memory, over the page. Arrow keys and j/k go through the results, e edits. */
export function EntryDrawer({ id }: { id: string }) {
  const { hits, total, marker, leave: leaveRow } = useBehind();
  const place = hits.findIndex((hit) => hit.entry.id === id);
  const hit = hits[place];
  const { memory, relations, error, again } = useEntry(id, hit?.entry);
  const { mayWrite } = useServer();
  const [edited, setEdited] = useState<Memory>();
  const [asWritten, setAsWritten] = useState(false);
  const step = useSteps(hits, place);
  // Set by the form while something is edited: what closes the drawer then ends the editing first.
  const leave = useRef<(() => void) | undefined>(undefined);
  const isEditing = edited?.id === id;
  useFocusBack(isEditing);
  useLayoutEffect(() => {
    const left = begunWith(id);
    if (left !== undefined) setEdited(left);
  }, [id]);
  const pressed = (event: KeyboardEvent): void => {
    if (isEditing || isTaken(event)) return;
    if (isKey(event, 'nextMemory')) step(1);
    else if (isKey(event, 'previousMemory')) step(-1);
    else if (isKey(event, 'edit') && memory !== undefined && mayWrite) setEdited(memory);
    else return;
    event.preventDefault();
  };
  // What ends may be another editing than the one that is under way by now.
  const stop = (ended: Memory): void => setEdited((now) => (now?.id === ended.id ? undefined : now));
  return (
    <Dialog class="drawer" labelledBy="details-title" onClose={() => (isEditing ? leave.current?.() : close())} onKey={pressed}>
      <header class="drawer-h">
        <h2 class={isEditing ? 'drawer-t' : 'sr'} id="details-title">
          {isEditing ? entryTexts.editing : entryTexts.details.title}
        </h2>
        {!isEditing && (
          <Head hits={hits} total={total} place={place} memory={memory} onStep={step} onEdit={setEdited} onForgotten={leaveRow} />
        )}
      </header>
      {isEditing && <Edited key={id} memory={edited} leave={leave} onStop={() => stop(edited)} />}
      {!isEditing && memory === undefined && <Missing error={error} onRetry={again} />}
      {!isEditing && memory !== undefined && (
        <EntryDetails
          key={id}
          memory={memory}
          relations={relations}
          hit={hit}
          marker={marker}
          asWritten={asWritten}
          onAsWritten={setAsWritten}
        />
      )}
    </Dialog>
  );
}

interface HeadProps {
  readonly hits: readonly Hit[];
  readonly total: number | undefined;
  readonly place: number;
  readonly memory: Memory | undefined;
  readonly onStep: (by: number) => void;
  readonly onEdit: (memory: Memory) => void;
  readonly onForgotten: (id: string) => void;
}

function Head({ hits, total, place, memory, onStep, onEdit, onForgotten }: HeadProps) {
  const { mayWrite } = useServer();
  return (
    <>
      <button type="button" class="icon-btn" aria-label={texts.close} title={texts.close} onClick={close}>
        <Icon name="x" />
      </button>
      {place >= 0 && <Steps place={place} of={hits.length} total={total} onStep={onStep} />}
      <span class="grow" />
      {memory !== undefined && (
        <>
          {mayWrite && (
            <button type="button" id={EDIT_BUTTON} class="btn btn--quiet" onClick={() => onEdit(memory)}>
              <Icon name="edit" />
              <span class="word">{entryTexts.edit}</span>
              <span aria-hidden="true">
                <KeySigns name="edit" />
              </span>
            </button>
          )}
          <EntryActions memory={memory} words onForget={close} onForgotten={() => onForgotten(memory.id)} />
        </>
      )}
    </>
  );
}

/** The memory as a form. `leave` is set to what ends it: at once where nothing was changed, else after a question. */
function Edited({ memory, leave, onStop }: { memory: Memory; leave: { current: (() => void) | undefined }; onStop: () => void }) {
  const editing = useEditing(memory, onStop);
  const [asking, setAsking] = useState(false);
  const end = (): void => (editing.isDirty ? setAsking(!asking) : editing.discard());
  leave.current = end;
  return <EditForm editing={editing} asking={asking} onStop={end} onKeepEditing={() => setAsking(false)} onDiscard={editing.discard} />;
}

interface StepsProps {
  readonly place: number;
  /** How many are loaded. */
  readonly of: number;
  readonly total: number | undefined;
  readonly onStep: (by: number) => void;
}

/** At either end the button stays, so that the focus is not lost. */
function Steps({ place, of, total = of, onStep }: StepsProps) {
  return (
    <>
      <button type="button" class="icon-btn" aria-label={entryTexts.details.before} aria-disabled={place === 0} onClick={() => onStep(-1)}>
        <Icon name="up" />
      </button>
      <button
        type="button"
        class="icon-btn"
        aria-label={entryTexts.details.after}
        aria-disabled={place === of - 1}
        onClick={() => onStep(1)}
      >
        <Icon name="down" />
      </button>
      <span class="count">{entryTexts.details.place(place + 1, total)}</span>
    </>
  );
}

function Missing({ error, onRetry }: { error: ApiError | undefined; onRetry: () => void }) {
  if (error === undefined) return <Skeleton />;
  if (error.status === 404) return <State icon="search" title={entryTexts.details.gone} text={entryTexts.details.goneText} />;
  return <Failure error={error} title={entryTexts.details.failed} onRetry={onRetry} />;
}
