import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { updatedImportance } from '../../../src/memory/importance.ts';
import { Icon } from '../parts/icon.tsx';
import { PriorityField } from '../parts/priority-field.tsx';
import { TagField } from '../parts/tag-field.tsx';
import { useServer } from '../shell/server.tsx';
import { isKey } from '../shell/keys.ts';
import { KeySigns } from '../shell/key-signs.tsx';
import { withoutTurns } from '../parts/plain-text.ts';
import { NameInput } from '../parts/name-input.tsx';
import { texts } from '../texts.ts';
import { WithPreview } from './with-preview.tsx';
import { entryTexts } from './texts.ts';
import type { Editing } from './use-editing.ts';
import '../styles/details.css';
import { Button } from '../parts/button.tsx';

interface EditFormProps {
  readonly editing: Editing;
  readonly onStop: () => void;
  readonly asking: boolean;
  readonly onKeepEditing: () => void;
  readonly onDiscard: () => void;
}

/** The editing form: text and facts. Ctrl or Cmd with Enter saves. */
export function EditForm({ editing, onStop, asking, onKeepEditing, onDiscard }: EditFormProps) {
  const { busy, save, theirs } = editing;
  const pressed = (event: KeyboardEvent): void => {
    if (!isKey(event, 'submit')) return;
    event.preventDefault();
    void save();
  };
  const send = (event: SubmitEvent): void => {
    event.preventDefault();
    void save();
  };
  return (
    <form class="edit" aria-label={entryTexts.editing} onSubmit={send} onKeyDown={pressed}>
      <div class="edit-main">
        {theirs !== undefined && <Conflict now={theirs.content} busy={busy} onSave={() => void save()} onTakeTheirs={onDiscard} />}
        <TextField editing={editing} />
      </div>
      <EditFields editing={editing} />
      <footer class="row row--wrap edit-foot">
        {asking ? <Discard onKeepEditing={onKeepEditing} onDiscard={onDiscard} /> : <SaveOrCancel busy={busy} onStop={onStop} />}
      </footer>
    </form>
  );
}

function SaveOrCancel({ busy, onStop }: { busy: boolean; onStop: () => void }) {
  return (
    <>
      <span class="hint edit-hint grow">
        <KeySigns name="submit" /> {entryTexts.keySaves}
      </span>
      <Button look="quiet" label={entryTexts.cancel} onClick={onStop} />
      <Button type="submit" look="primary" icon="check" label={busy ? entryTexts.saving : entryTexts.save} disabled={busy} />
    </>
  );
}

function TextField({ editing: { draft, put, missing } }: { editing: Editing }) {
  const field = useRef<HTMLTextAreaElement>(null);
  // Before the field accepts input: later the caret would jump while typing.
  useLayoutEffect(() => {
    field.current?.focus();
    // Caret at the beginning: a long text would scroll to its end.
    field.current?.setSelectionRange(0, 0);
    field.current?.scrollTo(0, 0);
  }, []);
  return (
    <div class="field grow edit-text">
      <WithPreview id="edit-content" label={entryTexts.text} text={draft.content} base={2}>
        <textarea
          ref={field}
          id="edit-content"
          class="input"
          value={draft.content}
          aria-invalid={missing}
          aria-describedby={missing ? 'edit-missing' : undefined}
          onInput={(event) => put({ content: event.currentTarget.value })}
        />
      </WithPreview>
      {missing && (
        <p class="hint" id="edit-missing" role="alert">
          {entryTexts.mustHaveText}
        </p>
      )}
    </div>
  );
}

function EditFields({ editing: { memory, draft, put } }: { editing: Editing }) {
  return (
    <div class="edit-side">
      <div class="field anchor">
        <label for="edit-tags">{texts.tags.label}</label>
        <TagField id="edit-tags" tags={draft.tags} onChange={(tags) => put({ tags })} />
      </div>
      <PriorityField
        name="edit-priority"
        priority={draft.priority}
        importance={draft.importance}
        follows={updatedImportance(memory.metadata, draft)}
        onChange={put}
      />
      <Places draft={draft} put={put} />
    </div>
  );
}

function Places({ draft, put }: Pick<Editing, 'draft' | 'put'>) {
  const { namespaces } = useServer();
  const containers = namespaces.find(({ namespace }) => namespace === draft.namespace)?.containers ?? [];
  return (
    <>
      <div class="field">
        <label for="edit-namespace">{entryTexts.details.namespace}</label>
        <NameInput
          id="edit-namespace"
          known={namespaces.map(({ namespace }) => namespace)}
          required
          value={draft.namespace}
          onType={(namespace) => put({ namespace })}
        />
      </div>
      <div class="field">
        <label for="edit-container">{entryTexts.details.container}</label>
        <NameInput id="edit-container" known={containers} required value={draft.container} onType={(container) => put({ container })} />
      </div>
    </>
  );
}

interface ConflictProps {
  readonly now: string;
  readonly busy: boolean;
  readonly onSave: () => void;
  readonly onTakeTheirs: () => void;
}

/** Shown if someone else saved the memory during editing. */
function Conflict({ now, busy, onSave, onTakeTheirs }: ConflictProps) {
  return (
    <section class="banner conflict" role="alert">
      <Icon name="warn" />
      <div>
        <p>
          <b>{entryTexts.conflict}</b>
        </p>
        <p>{entryTexts.conflictText}</p>
        <details>
          <summary>{entryTexts.conflictNow}</summary>
          <p class="plain">{withoutTurns(now)}</p>
        </details>
        <p class="row">
          <Button look="sm" label={entryTexts.saveAnyway} disabled={busy} onClick={onSave} />
          <Button look="sm" label={entryTexts.takeTheirs} onClick={onTakeTheirs} />
        </p>
      </div>
    </section>
  );
}

function Discard({ onKeepEditing, onDiscard }: Pick<EditFormProps, 'onKeepEditing' | 'onDiscard'>) {
  const keep = useRef<HTMLButtonElement>(null);
  useEffect(() => keep.current?.focus(), []);
  return (
    <>
      <p class="grow" role="alert">
        {entryTexts.discard}
      </p>
      <button ref={keep} type="button" class="btn" onClick={onKeepEditing}>
        {entryTexts.keepEditing}
      </button>
      <Button look="danger" label={entryTexts.discardIt} onClick={onDiscard} />
    </>
  );
}
