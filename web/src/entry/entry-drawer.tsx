import { useEffect, useLayoutEffect, useRef, useState, useMemo } from 'preact/hooks';
import { go } from '../address.ts';
import { type ApiError, isComplete } from '../api/client.ts';
import type { Hit, Memory } from '../api/responses.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Icon } from '../parts/icon.tsx';
import { Failure, Skeleton, State } from '../parts/state.tsx';
import { isKey } from '../shell/keys.ts';
import { KeySigns } from '../shell/key-signs.tsx';
import { lazyView } from '../shell/lazy-view.tsx';
import { useServer } from '../shell/server.tsx';
import { texts } from '../texts.ts';
import { entryTexts } from './texts.ts';
import { useEntryList } from './entry-list.tsx';
import { EntryActions } from './entry-actions.tsx';
import { EntryDetails } from './entry-details.tsx';
import { unfinishedMemory, useEditing } from './use-editing.ts';
import { fetchEntry, type Relation } from '../api/entries.ts';
import { useLoaded, type Loaded } from '../parts/use-loaded.ts';
import { IconButton } from '../parts/button.tsx';

const EditForm = lazyView(async () => (await import('./edit-form.tsx')).EditForm, { isSoon: true });
/** More of the list is loaded when this few memories remain. */
const AHEAD = 5;
const EDIT_BUTTON = 'details-edit';
const close = (): void => go({ id: '' });

/** Whether a key belongs to the focused element: a text field or a horizontal scroll area. */
const isTaken = ({ target, key, metaKey, ctrlKey, altKey }: KeyboardEvent): boolean =>
  metaKey ||
  ctrlKey ||
  altKey ||
  (target instanceof HTMLElement &&
    (target.closest('input, textarea, select, dialog dialog') !== null ||
      (key.startsWith('Arrow') && target.closest('pre, .md-table') !== null)));

/** Moves to the neighbours of a memory in the list. Keys come faster than renders: each continues from the last one. */
function useSteps(hits: readonly Hit[], place: number, mayGrow: boolean): (by: number) => void {
  const at = useRef(place);
  at.current = place;
  // A step to a memory that is still being loaded is taken when it is there.
  const waiting = useRef<number | undefined>(undefined);
  const step = (by: number): void => {
    const to = at.current < 0 ? undefined : hits[at.current + by];
    waiting.current = to === undefined && (at.current < 0 || (mayGrow && by > 0)) ? by : undefined;
    if (to === undefined) return;
    at.current += by;
    go({ id: to.entry.id }, { replace: true });
  };
  useEffect(() => {
    if (waiting.current !== undefined) step(waiting.current);
  }, [hits, place]);
  return step;
}

interface Where {
  readonly isFirst: boolean;
  /** Index among the loaded entries. */
  readonly isLast: boolean;
  readonly text: string;
}

/** The memory's position in the list and its neighbours. Loads more near the ends. */
function useNeighbours(id: string) {
  const { hits, total = hits.length, places, isCut = false, more, marker, leave } = useEntryList();
  const place = hits.findIndex((hit) => hit.entry.id === id);
  useEffect(() => {
    const isNearEnd = place >= hits.length - AHEAD || (place < AHEAD && (places?.[0] ?? 0) > 0);
    if (place >= 0 && isNearEnd) more?.();
  }, [place, hits.length, more === undefined]);
  const named = isCut ? entryTexts.details.placeOfBest : entryTexts.details.place;
  const where: Where | undefined =
    place < 0 ? undefined : { isFirst: place === 0, isLast: place === hits.length - 1, text: named((places?.[place] ?? place) + 1, total) };
  return { hit: hits[place], where, marker, step: useSteps(hits, place, more !== undefined), leave };
}

/** After editing, the button that started it gets the focus. */
function useFocusBack(isEditing: boolean): void {
  const was = useRef(isEditing);
  useLayoutEffect(() => {
    if (was.current && !isEditing) document.getElementById(EDIT_BUTTON)?.focus();
    was.current = isEditing;
  }, [isEditing]);
}

/** The details of one memory above the page. Arrow keys and j/k move through the results, e edits. */
export function EntryDrawer({ id }: { id: string }) {
  const { hit, where, marker, step, leave: leaveRow } = useNeighbours(id);
  const { memory, relations, error, again } = useEntry(id, hit?.entry);
  const { mayWrite } = useServer();
  const [edited, setEdited] = useState<Memory>();
  const [asWritten, setAsWritten] = useState(false);
  // Set by the form while editing: closing the drawer then first ends the editing.
  const leave = useRef<(() => void) | undefined>(undefined);
  const isEditing = edited?.id === id;
  useFocusBack(isEditing);
  useLayoutEffect(() => {
    const left = unfinishedMemory(id);
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
  // Another editing may have started meanwhile.
  const stop = (ended: Memory): void => setEdited((now) => (now?.id === ended.id ? undefined : now));
  return (
    <Dialog class="drawer" labelledBy="details-title" onClose={() => (isEditing ? leave.current?.() : close())} onKey={pressed}>
      <header class="row drawer-h">
        <h2 class={isEditing ? 'drawer-t' : 'sr'} id="details-title">
          {isEditing ? entryTexts.editing : texts.oneMemory}
        </h2>
        {!isEditing && <Head where={where} memory={memory} onStep={step} onEdit={setEdited} onForgotten={leaveRow} />}
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
  readonly where: Where | undefined;
  readonly memory: Memory | undefined;
  readonly onStep: (by: number) => void;
  readonly onEdit: (memory: Memory) => void;
  readonly onForgotten: (id: string) => void;
}

function Head({ where, memory, onStep, onEdit, onForgotten }: HeadProps) {
  const { mayWrite } = useServer();
  return (
    <>
      <IconButton icon="x" label={texts.close} onClick={close} />
      {where !== undefined && <Steps {...where} onStep={onStep} />}
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

/** The memory as a form. `leave` is set to a function that ends it: at once without changes, else after a question. */
function Edited({ memory, leave, onStop }: { memory: Memory; leave: { current: (() => void) | undefined }; onStop: () => void }) {
  const editing = useEditing(memory, onStop);
  const [asking, setAsking] = useState(false);
  const end = (): void => (editing.isDirty ? setAsking(!asking) : editing.discard());
  leave.current = end;
  return <EditForm editing={editing} asking={asking} onStop={end} onKeepEditing={() => setAsking(false)} onDiscard={editing.discard} />;
}

interface StepsProps extends Where {
  readonly onStep: (by: number) => void;
}

/** The button stays at both ends of the list, so that the focus is not lost. */
function Steps({ isFirst, isLast, text, onStep }: StepsProps) {
  return (
    <>
      <IconButton icon="up" label={entryTexts.details.before} aria-disabled={isFirst} onClick={() => onStep(-1)} />
      <IconButton icon="down" label={entryTexts.details.after} aria-disabled={isLast} onClick={() => onStep(1)} />
      <span class="count">{text}</span>
    </>
  );
}

function Missing({ error, onRetry }: { error: ApiError | undefined; onRetry: () => void }) {
  if (error === undefined) return <Skeleton />;
  if (error.status === 404) return <State icon="search" title={entryTexts.details.gone} text={entryTexts.details.goneText} />;
  return <Failure error={error} title={entryTexts.details.failed} onRetry={onRetry} />;
}

const NONE: readonly Relation[] = [];

interface LoadedEntry extends Pick<Loaded<unknown>, 'error' | 'again'> {
  readonly memory: Memory | undefined;
  readonly relations: readonly Relation[];
}

/** The current memory with this id; until it is loaded, the list's version if that is complete. */
function useEntry(id: string, known: Memory | undefined): LoadedEntry {
  const { value, error, again } = useLoaded((signal) => fetchEntry(id, signal), { about: id });
  // The beginning alone can be neither read nor edited.
  const listed = known !== undefined && isComplete(known) ? known : undefined;
  const isGone = error?.status === 404;
  const memory = isGone ? undefined : (value?.entry ?? listed);
  return useMemo(() => ({ memory, relations: value?.relations ?? NONE, error, again }), [memory, value, error]);
}
