import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from '../api/client.ts';
import { change } from '../api/entries.ts';
import type { Memory } from '../api/forms.ts';
import { Icon } from '../parts/icon.tsx';
import { TagInput } from '../parts/tag-input.tsx';
import { toast } from '../parts/toasts.tsx';
import { useServer } from '../shell/server.tsx';
import { texts } from '../texts.ts';

const FIELD = 'details-add-tag';

/** A button that becomes a field for one more tag; what is added there is saved at once. */
export function TagAdder({ memory: { id, metadata } }: { memory: Memory }) {
  const { changed } = useServer();
  const [open, setOpen] = useState(false);
  const opened = useRef(false);
  useLayoutEffect(() => {
    // From the field back to the button, unless the focus went elsewhere by itself.
    if (open) document.getElementById(FIELD)?.focus();
    else if (opened.current && document.activeElement?.tagName !== 'INPUT') document.getElementById(`${FIELD}-button`)?.focus();
    opened.current = open;
  }, [open]);
  const add = async (tag: string): Promise<void> => {
    setOpen(false);
    try {
      await change(id, { tags: [...metadata.tags, tag] });
      toast(texts.entry.tagSaved(tag), { icon: 'tag' });
      changed();
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure;
      toast(texts.entry.notChanged(failure.message), { bad: true });
    }
  };
  if (!open) {
    return (
      <button type="button" id={`${FIELD}-button`} class="tag tag--add" aria-label={texts.entry.addTagLabel} onClick={() => setOpen(true)}>
        <Icon name="plus" size="sm" />
        {texts.entry.addTag}
      </button>
    );
  }
  const pressed = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    setOpen(false);
  };
  return (
    <div class="field anchor tag-adder" onKeyDown={pressed} onFocusOut={() => setOpen(false)}>
      <label class="sr" for={FIELD}>
        {texts.entry.addTagLabel}
      </label>
      <div class="tagbox">
        <TagInput id={FIELD} chosen={metadata.tags} creates onAdd={(tag) => void add(tag)} />
      </div>
    </div>
  );
}
