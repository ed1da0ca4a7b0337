import { canonicalError, isErrorCode } from './entity-errors.ts';
import { type EntityKind, MAX_ENTITY_CHARS } from './entity-kinds.ts';
import { canonicalPackage, isGoModule, isLibraryName, SCOPED_PACKAGE } from './entity-package-names.ts';
import { canonicalPath, isFileName, withoutLine } from './entity-path-names.ts';
import { canonicalPerson } from './entity-people.ts';
import { canonicalUrl, URL_FORM } from './entity-urls.ts';

/** Capitals, underscores and joining signs. A name without them is a plain word, and plain words are stored for packages only. */
const SYMBOL_MARK = /[\p{Lu}_$().:<]/u;
const SEPARATOR = /[\\/]/;
const CALL = /\([^]*$/;
const TYPE_ARGUMENTS = /<[^<>]*>/g;

/**
 * Kind of an entity, by the form of its stored name: `https://…` url, `@ken` person, `@scope/name` and a plain word such as `fastify`
 * package, `src/a.ts` and `package.json` path, `ENOENT` error; anything else (`Foo.bar`, `cart_id`, `parse()`) symbol.
 */
export function kindOf(name: string): EntityKind {
  if (URL_FORM.test(name)) return 'url';
  if (isErrorCode(name)) return 'error';
  if (SCOPED_PACKAGE.test(name) || isLibraryName(name) || isGoModule(name)) return 'package';
  if (SEPARATOR.test(name)) return 'path';
  if (name.startsWith('@')) return 'person';
  if (isFileName(withoutLine(name))) return 'path';
  return SYMBOL_MARK.test(name) ? 'symbol' : 'package';
}

/**
 * The stored form of a name; lookups compare it, and it is idempotent. Differences ignored: separators, a leading `./` and line numbers of
 * paths; the case of people, packages, errors, schemes and hosts; the brackets of a function. The case of paths and symbols counts.
 */
export function entityKey(name: string): string {
  const plain = name.normalize('NFC').trim();
  return plain.length > MAX_ENTITY_CHARS ? plain : KEYS[kindOf(plain)](plain);
}

const KEYS = {
  path: canonicalPath,
  symbol: canonicalSymbol,
  package: canonicalPackage,
  url: (name) => canonicalUrl(name) ?? name,
  error: canonicalError,
  person: canonicalPerson,
} as const satisfies Record<EntityKind, (name: string) => string>;

/**
 * A symbol without brackets and type arguments. Empty brackets stay if the name would otherwise read as another kind: `parse()`,
 * `response.json()`.
 */
export function canonicalSymbol(written: string): string {
  const bare = written.replace(CALL, '').replace(TYPE_ARGUMENTS, '');
  if (bare === '') return written;
  return bare === written || kindOf(bare) === 'symbol' ? bare : `${bare}()`;
}

/**
 * Renames a file or folder in a list of entities: paths equal to `from` or below it get the prefix `to`. Whole segments only; other kinds
 * stay; duplicates are merged at the first position. A path that would become too long or invalid stays. An empty `from` changes nothing;
 * an empty `to` moves the content of a folder to the project root.
 */
export function renamePath(names: readonly string[], from: string, to: string): string[] {
  const [old, fresh] = [canonicalPath(from), canonicalPath(to)];
  if (old === '') return [...names];
  const renamed = names.map((name) => {
    if (kindOf(name) !== 'path' || (name !== old && !name.startsWith(`${old}/`))) return name;
    const moved = canonicalPath(fresh === '' ? name.slice(old.length + 1) : `${fresh}${name.slice(old.length)}`);
    return kindOf(moved) !== 'path' || moved.length > MAX_ENTITY_CHARS ? name : moved;
  });
  return [...new Set(renamed)];
}
