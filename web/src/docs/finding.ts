import { fuzzyMatch } from '../shell/fuzzy.ts';
import type { Group, Route } from './document.ts';

/** The searchable text of a route. */
function wordsOf(group: Group, { method, path, id, operation, parameters }: Route): string {
  const { summary = '', description = '' } = operation;
  return [method, path, id, summary, description, group.name, ...parameters.map(({ name }) => name)].join(' ');
}

/** The routes that contain every word of the query, in their groups. */
export function findRoutes(groups: readonly Group[], question: string): readonly Group[] {
  if (question.trim() === '') return groups;
  return groups
    .map((group) => ({ ...group, routes: group.routes.filter((route) => fuzzyMatch(question, wordsOf(group, route)) !== undefined) }))
    .filter(({ routes }) => routes.length > 0);
}

export const countRoutes = (groups: readonly Group[]): number => groups.reduce((sum, { routes }) => sum + routes.length, 0);
