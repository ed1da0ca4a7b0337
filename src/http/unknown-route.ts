import { parseEntryId } from '../memory/entry.ts';
import { entryNotFound, LoreError } from '../memory/errors.ts';
import { nearestName } from '../memory/nearest-name.ts';
import { OPERATIONS, operationsOf, type OperationGroup } from '../operations/table.ts';

const MOST_CHARS = 100;
/** Greatest difference in length of a path and the one that was meant. */
const MOST_MORE_CHARS = 3;
const API = '/api/';

/** Paths without a variable part and without `/api/`, each with its routes: `recall` -> [`POST /api/recall`]. */
let fixed: ReadonlyMap<string, readonly string[]> | undefined;

function fixedRoutes(): ReadonlyMap<string, readonly string[]> {
  const byPath = new Map<string, string[]>();
  const routes = (Object.keys(OPERATIONS) as OperationGroup[]).flatMap((group) => operationsOf(group).map(([, { route }]) => route));
  for (const route of routes.filter((each) => each.includes(API) && !each.includes(':'))) {
    const path = route.slice(route.indexOf(API) + API.length);
    byPath.set(path, [...(byPath.get(path) ?? []), route]);
  }
  return byPath;
}

/** The error for a path without a route. It names the route with the most similar path. */
export function noRoute(path: string): LoreError {
  const unknown = `No route matches ${JSON.stringify(path.slice(0, MOST_CHARS))}.`;
  const meant = path.startsWith(API) ? routesLike(path.slice(API.length)) : [];
  return new LoreError(
    'not_found',
    `${unknown} ${meant.length > 0 ? `Did you mean ${meant.join(' or ')}?` : 'GET /openapi.json lists all routes.'}`,
  );
}

function routesLike(unknown: string): readonly string[] {
  fixed ??= fixedRoutes();
  // Paths of another length or first letter are not compared: this answers any request.
  const near = nearestName(
    unknown,
    [...fixed.keys()].filter((path) => path[0] === unknown[0] && Math.abs(path.length - unknown.length) <= MOST_MORE_CHARS),
  );
  return near === undefined ? [] : fixed.get(near)!;
}

/**
 * The id of the entry in a path. Throws `not_found` for anything else, without reading the store. A word without a digit is no id, but a
 * misspelt route.
 */
export function idInPath(path: string, given: string): string {
  const id = parseEntryId(given);
  if (id !== undefined) return id;
  throw path === `${API}${given}` && !/\d/.test(given) ? noRoute(path) : entryNotFound(given);
}
