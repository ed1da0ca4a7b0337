import { go, useAddress } from '../address.ts';
import { Icon } from '../parts/icon.tsx';
import { TagInput } from '../parts/tag-input.tsx';
import { useServer } from '../shell/server.tsx';
import { texts } from '../texts.ts';

/** Which namespace and which tags a search may see, as chips. */
export function Filters() {
  const { tags } = useAddress();
  const setTags = (next: readonly string[]): void => go({ tags: next });
  return (
    <ul class="chips" aria-label={texts.filters.label}>
      <li>
        <NamespaceChip />
      </li>
      {tags.map((tag) => (
        <li key={tag} class="chip chip--on">
          <span class="clip">
            <span class="chip-k">{texts.filters.tag}</span> {tag}
          </span>
          <button type="button" aria-label={texts.filters.removeTag(tag)} onClick={() => setTags(tags.filter((one) => one !== tag))}>
            <Icon name="x" size="sm" />
          </button>
        </li>
      ))}
      <li class="chip chip--dash anchor">
        <Icon name="tag" size="sm" />
        <label class="sr" for="filter-tag">
          {texts.filters.addTag}
        </label>
        <TagInput
          id="filter-tag"
          chosen={tags}
          creates={false}
          placeholder={texts.filters.addTag}
          onAdd={(tag) => setTags([...tags, tag])}
        />
      </li>
    </ul>
  );
}

function NamespaceChip() {
  const { ns } = useAddress();
  const { namespaces } = useServer();
  const names = namespaces.map(({ namespace }) => namespace);
  const known = ns === '' || names.includes(ns) ? names : [ns, ...names];
  return (
    <span class={ns === '' ? 'chip select' : 'chip chip--on select'}>
      <label class="chip-k" for="filter-namespace">
        {texts.filters.namespace}
      </label>
      <select id="filter-namespace" value={ns} onChange={(event) => go({ ns: event.currentTarget.value })}>
        <option value="">{texts.filters.allNamespaces}</option>
        {known.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
      <Icon name="down" size="sm" />
    </span>
  );
}
