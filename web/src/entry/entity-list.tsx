import { Icon, type IconName } from '../parts/icon.tsx';
import { Link } from '../parts/link.tsx';
import { entryTexts } from './texts.ts';
import { DetailSection } from './detail-section.tsx';

/** Kind of an entity, guessed from its form: the server stores only names. */
export function iconOf(name: string): IconName {
  if (/^https?:/i.test(name)) return 'globe';
  if (name.startsWith('@')) return 'near';
  if (/\(\)$|::|^[a-z]\w*[A-Z]\w*$/.test(name)) return 'fn';
  if (/[/\\]|\.[a-z]\w{0,4}$/i.test(name)) return 'file';
  return /^[A-Z][A-Z0-9_-]+$/.test(name) ? 'warn' : 'box';
}

/** The entities of the text, each with a link to a search. */
export function EntityList({ names }: { names: readonly string[] }) {
  if (names.length === 0) return null;
  return (
    <DetailSection id="details-entities" title={entryTexts.names} note={String(names.length)}>
      <ul class="row row--wrap ents">
        {names.map((name) => (
          <li key={name}>
            <Link class="ent" title={entryTexts.searchFor(name)} to={{ q: name }}>
              <Icon name={iconOf(name)} />
              <span class="clip">{name}</span>
            </Link>
          </li>
        ))}
      </ul>
    </DetailSection>
  );
}
