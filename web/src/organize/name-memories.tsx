import { lore } from '../api/client.ts';
import { iconOf } from '../entry/entity-list.tsx';
import { OpenEntry } from '../entry/open-entry.tsx';
import { shortDay } from '../parts/formats.ts';
import { Icon } from '../parts/icon.tsx';
import { Link } from '../parts/link.tsx';
import { titleOf } from '../parts/plain-text.ts';
import { BoxedFailure } from '../parts/page.tsx';
import { Skeleton } from '../parts/state.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { organizeTexts as words } from './texts.ts';

/** Maximum of the server. */
const LIMIT = 100;
const TITLE_CHARS = 120;

/** The memories that a name was found in: a search for it would also find others with its words. */
export function NameMemories({ name }: { name: string }) {
  const { value, error, again } = useLoaded((signal) => lore.relations.entities({ name, limit: LIMIT }, { signal }), { about: name });
  // The answer also has other spellings of a plain word, such as a function name.
  const entries = value?.entries.filter(({ metadata }) => metadata.entities?.includes(name)) ?? [];
  const total = value?.entities.find((one) => one.name === name)?.entries ?? 0;
  return (
    <div class="stack">
      <h2 class="row row--wrap">
        <Icon name={iconOf(name)} />
        <span class="breaks" dir="auto">
          {name}
        </span>
      </h2>
      <p class="row row--wrap small">
        {value !== undefined && <span>{words.named(entries.length, total)}</span>}
        <Link class="btn btn--sm" to={{ view: 'organize', part: 'entities' }}>
          {words.allNames}
        </Link>
        <Link class="btn btn--sm" to={{ q: name }}>
          {words.searchName}
        </Link>
      </p>
      {value === undefined && error === undefined && <Skeleton />}
      {value === undefined && error !== undefined && <BoxedFailure error={error} title={words.failed} onRetry={again} />}
      {entries.length > 0 && (
        <ul class="rels box box--pad">
          {entries.map((entry) => (
            <li key={entry.id}>
              <span class="row">
                <span class="num">{shortDay(entry.metadata.timestamp)}</span>
              </span>
              <OpenEntry id={entry.id} title={titleOf(entry, TITLE_CHARS)} />
              <span class="num clip" title={entry.metadata.namespace}>
                {entry.metadata.namespace}
              </span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
