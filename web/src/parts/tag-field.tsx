import { texts } from '../texts.ts';
import { IconButton } from './icon-button.tsx';
import { TagInput } from './tag-input.tsx';

interface TagFieldProps {
  readonly id: string;
  readonly tags: readonly string[];
  readonly invalid: boolean;
  readonly describedBy: string;
  readonly onChange: (tags: readonly string[]) => void;
}

/** The tags of a memory in a form, each with a button that takes it off, and a field for the next one. */
export function TagField({ id, tags, invalid, describedBy, onChange }: TagFieldProps) {
  return (
    <div class="tagbox">
      {tags.length > 0 && (
        <ul class="tags" aria-label={texts.tags.label}>
          {tags.map((tag) => (
            <li key={tag} class="tag">
              <span title={tag}>{tag}</span>
              <IconButton
                icon="x"
                label={texts.tags.remove(tag)}
                size="sm"
                class="tag-x"
                onClick={() => onChange(tags.filter((one) => one !== tag))}
              />
            </li>
          ))}
        </ul>
      )}
      <TagInput
        id={id}
        chosen={tags}
        creates
        invalid={invalid}
        describedBy={describedBy}
        onAdd={(tag) => onChange([...tags, tag])}
        onBack={() => onChange(tags.slice(0, -1))}
      />
    </div>
  );
}
