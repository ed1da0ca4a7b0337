import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { tag as changeTags } from '../api/bulk.ts';
import type { Memory } from '../api/responses.ts';
import { Icon } from '../parts/icon.tsx';
import { TagInput } from '../parts/tag-input.tsx';
import { toast, attempt } from '../parts/toasts.tsx';
import { useServer } from '../shell/server.tsx';
import { entryTexts } from './texts.ts';

const FIELD = 'details-add-tag';

/** A button that becomes a field for a tag, which is saved at once. */
export function TagAdder({ memory: { id, metadata } }: { memory: Memory }) {
  const { changed } = useServer();
  const [open, setOpen] = useState(false);
  const opened = useRef(false);
  // The field is removed when it is done; its blur must not add a tag again.
  const isDone = useRef(false);
  useLayoutEffect(() => {
    // Returns the focus from the field to the button, unless it moved elsewhere.
    if (open) document.getElementById(FIELD)?.focus();
    else if (opened.current && document.activeElement?.tagName !== 'INPUT') document.getElementById(`${FIELD}-button`)?.focus();
    opened.current = open;
  }, [open]);
  const begin = (): void => {
    isDone.current = false;
    setOpen(true);
  };
  const end = (): void => {
    isDone.current = true;
    setOpen(false);
  };
  const add = async (tag: string): Promise<void> => {
    if (isDone.current) return;
    end();
    await attempt(async () => {
      // Adds to the current tags, which may differ from the shown ones.
      const { matches, left } = await changeTags({ ids: [id] }, { add: [tag], remove: [] }, { dryRun: false });
      if (matches === 0) toast(entryTexts.notChanged(entryTexts.details.goneText), { bad: true });
      else if (left > 0) toast(entryTexts.notChanged(entryTexts.notTagged), { bad: true });
      else toast(entryTexts.tagSaved(tag), { icon: 'tag' });
      changed();
    }, entryTexts.notChanged);
  };
  if (!open) {
    return (
      <button type="button" id={`${FIELD}-button`} class="tag tag--add" aria-label={entryTexts.addTagLabel} onClick={begin}>
        <Icon name="plus" size="sm" />
        {entryTexts.addTag}
      </button>
    );
  }
  const pressed = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    end();
  };
  return (
    <div class="field anchor tag-adder" onKeyDown={pressed} onFocusOut={() => setOpen(false)}>
      <label class="sr" for={FIELD}>
        {entryTexts.addTagLabel}
      </label>
      <div class="row row--wrap tagbox">
        <TagInput id={FIELD} chosen={metadata.tags} creates onAdd={(tag) => void add(tag)} />
      </div>
    </div>
  );
}
