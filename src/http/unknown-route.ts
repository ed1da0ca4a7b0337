import { parseEntryId } from '../memory/entry.ts';
import { entryNotFound, LoreError } from '../memory/errors.ts';
import { nearestName } from '../memory/nearest-name.ts';
import { OPERATIONS, operationsOf, type OperationGroup } from '../operations/table.ts';

const MOST_CHARS = 100;
const API = '/api/';

/** All routes of the API whose path has no variable part, such as `POST /api/recall`. */
function fixedRoutes(): readonly string[] {
  const routes = (Object.keys(OPERATIONS) as OperationGroup[]).flatMap((group) => operationsOf(group).map(([, { route }]) => route));
  return routes.filter((route) => route.includes(API) && !route.includes(':'));
}

const wordsOf = (path: string): string => path.slice(path.indexOf(API) + API.length);

/** The error for a path without a route. It names the route with the most similar path. */
export function noRoute(path: string): LoreError {
  const unknown = `No route matches ${JSON.stringify(path.slice(0, MOST_CHARS))}.`;
  const routes = path.startsWith(API) ? fixedRoutes() : [];
  const near = nearestName(wordsOf(path), routes.map(wordsOf));
  const meant = routes.filter((route) => wordsOf(route) === near);
  return new LoreError(
    'not_found',
    `${unknown} ${meant.length > 0 ? `Did you mean ${meant.join(' or ')}?` : 'GET /openapi.json lists all routes.'}`,
  );
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
