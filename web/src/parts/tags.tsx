import { filterOf, useAddress } from '../address.ts';
import type { Marker } from './marked.tsx';
import { texts } from '../texts.ts';
import { Link } from './link.tsx';

interface TagsProps {
  readonly tags: readonly string[];
  /** In a row: maximum number of tags, followed by the count of the others. */
  readonly limit?: number;
  /** In a row, tags are not tab stops, so that a row is one stop. */
  readonly tabIndex?: number | undefined;
  /** Marks matching words: the whole tag is marked. */
  readonly marker: Marker;
}

/** Tags as links that add a filter. */
export function Tags({ tags, limit, tabIndex = limit === undefined ? undefined : -1, marker }: TagsProps) {
  const address = useAddress();
  const { view, q, mode, explain, sort, as } = address;
  const filter = filterOf(address);
  // Filtering keeps the current list view.
  const kept = { q, mode, explain, ...(view === 'memories' && { sort, as }) };
  if (tags.length === 0) return null;
  const matched = new Set(tags.filter((tag) => marker(tag).some(({ marked }) => marked)));
  // If not all tags are shown, matching ones come first.
  const ordered = limit === undefined ? tags : [...matched, ...tags.filter((tag) => !matched.has(tag))];
  return (
    <ul class="tags" aria-label={texts.tags.label}>
      {ordered.slice(0, limit).map((tag) => (
        <li key={tag}>
          <Link
            class={matched.has(tag) ? 'tag tag--hit' : 'tag'}
            title={texts.tags.filterBy(tag)}
            tabIndex={tabIndex}
            to={{ ...kept, ...filter, tags: filter.tags.includes(tag) ? filter.tags : [...filter.tags, tag] }}
          >
            <span class="clip">{tag}</span>
          </Link>
        </li>
      ))}
      {limit !== undefined && tags.length > limit && <li class="tag tag--more">+{tags.length - limit}</li>}
    </ul>
  );
}
