import { findErrors } from './entity-errors.ts';
import { type EntityKind, MAX_ENTITIES, MAX_ENTITY_CHARS } from './entity-kinds.ts';
import { findPackages } from './entity-packages.ts';
import { findPaths } from './entity-paths.ts';
import { findPeople } from './entity-people.ts';
import { findSymbols } from './entity-symbols.ts';
import { type Claim, partsOf, type TextPart, withoutClaims } from './entity-text.ts';
import { findUrls } from './entity-urls.ts';

/** Number of UTF-16 units read: the beginning of a text names its subject. */
const READ_CHARS = 50_000;
/** How far back to look for a blank at the end, so that no name is cut. */
const SLACK = 1024;
const MAY_BE_DECOMPOSED = /[\u0300-\uffff]/;

interface Entity {
  readonly name: string;
  readonly kind: EntityKind;
}

/** In this order: each reads only what the earlier ones left. A path may contain what looks like a symbol, never the reverse. */
const FINDERS: readonly ((part: TextPart) => readonly Claim[])[] = [findUrls, findPackages, findPaths, findPeople, findErrors, findSymbols];

/**
 * Entities of a text: paths, code names, packages, URLs, error codes and people, found by rules without a model. Each once, in its stored
 * form (see `entityKey`), in order of first appearance; at most 64 of at most 256 characters. Ordinary words are never entities; ambiguous
 * words are left out. Reads the first 50,000 UTF-16 units, in linear time.
 */
export function entitiesOf(content: string): string[] {
  return findEntities(content).map(({ name }) => name);
}

/** Entities with their kinds, which equal `kindOf` of their names. */
export function findEntities(content: string): Entity[] {
  const found = new Map<string, Entity>();
  for (const part of partsOf(composed(beginningOf(content)))) {
    for (const { name, kind } of entitiesIn(part)) {
      if (name.length <= MAX_ENTITY_CHARS && !found.has(name)) found.set(name, { name, kind });
      if (found.size === MAX_ENTITIES) return withoutScopes([...found.values()]);
    }
  }
  return withoutScopes([...found.values()]);
}

/** Drops a person such as `@acme` if a package `@acme/tools` is present: it is a scope. */
function withoutScopes(entities: readonly Entity[]): Entity[] {
  return entities.filter(({ name, kind }) => kind !== 'person' || !entities.some((other) => other.name.startsWith(`${name}/`)));
}

function entitiesIn(part: TextPart): Entity[] {
  const claims: Claim[] = [];
  let rest = part;
  for (const find of FINDERS) {
    const taken = find(rest);
    claims.push(...taken);
    rest = withoutClaims(rest, taken);
  }
  return claims.length === 0 ? [] : claims.toSorted((a, b) => a.start - b.start).flatMap(({ found }) => found ?? []);
}

/** Normalizes to NFC. Text below U+0300 is NFC already. */
function composed(text: string): string {
  return MAY_BE_DECOMPOSED.test(text) ? text.normalize('NFC') : text;
}

function beginningOf(content: string): string {
  if (content.length <= READ_CHARS) return content;
  for (let end = READ_CHARS; end > READ_CHARS - SLACK; end--) {
    if (content.charCodeAt(end) <= 0x20) return content.slice(0, end);
  }
  return content.slice(0, READ_CHARS).replace(/[\ud800-\udbff]$/, '');
}
