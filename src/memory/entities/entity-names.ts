import { canonicalError, isErrorCode } from './entity-errors.ts';
import { type EntityKind, MAX_ENTITY_CHARS } from './entity-kinds.ts';
import { canonicalPackage, isGoModule, isLibraryName, SCOPED_PACKAGE } from './entity-package-names.ts';
import { canonicalPath, isFileName, withoutLine } from './entity-path-names.ts';
import { canonicalPerson } from './entity-people.ts';
import { canonicalUrl, URL_FORM } from './entity-urls.ts';

/** Capitals, underscores and the signs that join names. What has none of them is one plain word, and those are stored for packages only. */
const SYMBOL_MARK = /[\p{Lu}_$().:<]/u;
const SEPARATOR = /[\\/]/;
const CALL = /\([^]*$/;
const TYPE_ARGUMENTS = /<[^<>]*>/g;

/**
 * What a name stands for, by its form alone, as extraction stores it: `https://…` url, `@ken` person, `@scope/name` and a plain word such
 * as `fastify` package, `src/a.ts` and `package.json` path, `ENOENT` error, what is left (`Foo.bar`, `cart_id`, `parse()`) symbol.
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
 * The stored form of a name as anybody writes it; lookup by name compares these, and every stored name is its own key. Separators, a
 * leading `./` and line numbers of paths, the case of people, packages, errors, schemes and hosts, and the brackets after a function do
 * not tell two names apart. The case of paths and symbols does.
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

/** Whether two names mean the same entity. */
export const sameEntity = (one: string, other: string): boolean => entityKey(one) === entityKey(other);

/**
 * A function without its brackets and type arguments. They stay, empty, where the name without them would read as something else:
 * `parse()`, `response.json()`.
 */
export function canonicalSymbol(written: string): string {
  const bare = written.replace(CALL, '').replace(TYPE_ARGUMENTS, '');
  if (bare === '') return written;
  return bare === written || kindOf(bare) === 'symbol' ? bare : `${bare}()`;
}

/**
 * The names after a file or folder moved: paths that are `from`, or lie in it, begin with `to` instead. Whole segments only; other kinds stay;
 * what becomes equal is merged, in the place of the first. A path that would become too long, or no path, stays as it is. Nothing happens
 * for an empty `from`; an empty `to` moves the content of a folder to the root of the project.
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
