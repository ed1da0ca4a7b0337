import { texts } from '../texts.ts';
import { TagInput } from './tag-input.tsx';
import { IconButton } from './button.tsx';

interface TagFieldProps {
  readonly id: string;
  readonly tags: readonly string[];
  /** Tags that cannot be added here. */
  readonly others?: readonly string[];
  readonly invalid?: boolean;
  readonly describedBy?: string;
  readonly creates?: boolean;
  readonly waits?: boolean;
  readonly removal?: (tag: string) => string;
  readonly onChange: (tags: readonly string[]) => void;
}

const NONE: readonly string[] = [];

export function TagField({ tags, others = NONE, creates = true, removal = texts.tags.remove, onChange, ...field }: TagFieldProps) {
  return (
    <div class="row row--wrap tagbox">
      {tags.length > 0 && (
        <ul class="tags" aria-label={texts.tags.label}>
          {tags.map((tag) => (
            <li key={tag} class="tag">
              <span class="clip" title={tag}>
                {tag}
              </span>
              <IconButton
                icon="x"
                label={removal(tag)}
                size="sm"
                class="tag-x"
                onClick={() => onChange(tags.filter((one) => one !== tag))}
              />
            </li>
          ))}
        </ul>
      )}
      <TagInput
        {...field}
        chosen={[...tags, ...others]}
        creates={creates}
        onAdd={(tag) => {
          if (!others.includes(tag)) onChange([...tags, tag]);
        }}
        onBack={() => onChange(tags.slice(0, -1))}
      />
    </div>
  );
}
