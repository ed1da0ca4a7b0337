import type { AuditRecord } from '../../memory/audit.ts';
import { parseEntryId } from '../../memory/entry.ts';
import { callOf, type AnyOperation, type Noted } from '../../operations/operation.ts';

const MAX_IDS = 20;
const MAX_NAMESPACES = 20;

const IDS = ['id', 'ids', 'supersedes'] as const;
/** Of answers, in the order in which they say it best: counts of entries, each the sum of what stands together; */
const COUNTS = [['count'], ['stored'], ['entries'], ['removed']] as const;
/** then lists of entries. */
const LISTS = ['ids', 'results', 'entries'] as const;

type Fields = Readonly<Record<string, unknown>>;
type Facts = Pick<AuditRecord, 'namespaces' | 'ids' | 'count' | 'dryRun'>;

/** What may be said of an operation that is defined: what its definition names. */
export function definedFacts(definition: AnyOperation, given: readonly unknown[], answer: unknown): Facts {
  const { id, request } = callOf(definition, given);
  const { namespaces = [], ids = [], count, dryRun = false }: Noted = definition.notes?.(request, answer) ?? {};
  const all = [...new Set([id ?? [], ids].flat())];
  return {
    ...(namespaces.length > 0 && { namespaces: [...new Set(namespaces)].slice(0, MAX_NAMESPACES) }),
    ...(all.length > 0 && { ids: all.slice(0, MAX_IDS) }),
    ...(count !== undefined && { count }),
    ...((dryRun || request['dryRun'] === true) && { dryRun: true }),
  };
}

/** What may be said of an operation: names of places, ids and counts; of the texts nothing. `given` are its arguments. */
export function factsOf(given: readonly unknown[], answer: unknown): Facts {
  const requests = given.filter(isFields);
  const named = requests.flatMap((request) => texts(request, ['namespace']));
  const ids = [
    ...given.filter((value) => typeof value === 'string'),
    ...requests.flatMap((request) => texts(request, IDS)),
    ...idsOf(answer),
  ];
  const known = [...new Set(ids.flatMap((id) => parseEntryId(id) ?? []))];
  const count = countOf(answer);
  const dryRun = requests.some((request) => request['dryRun'] === true);
  return {
    ...(named.length > 0 && { namespaces: [...new Set(named)].slice(0, MAX_NAMESPACES) }),
    ...(known.length > 0 && { ids: known.slice(0, MAX_IDS) }),
    ...(count !== undefined && { count }),
    ...(dryRun && { dryRun }),
  };
}

function texts(fields: Fields, names: readonly string[]): string[] {
  return names.flatMap((name) => [fields[name]].flat().filter((value) => typeof value === 'string'));
}

function idsOf(answer: unknown): string[] {
  const lists = Array.isArray(answer) ? [answer] : isFields(answer) ? LISTS.map((name) => answer[name]).filter(Array.isArray) : [];
  const own = isFields(answer) && typeof answer['id'] === 'string' ? [answer['id']] : [];
  return [...own, ...lists.flatMap((list: readonly unknown[]) => list.slice(0, MAX_IDS).flatMap(idOf))];
}

function idOf(item: unknown): string[] {
  if (typeof item === 'string') return [item];
  if (!isFields(item)) return [];
  const { id, entry } = item;
  return typeof id === 'string' ? [id] : isFields(entry) && typeof entry['id'] === 'string' ? [entry['id']] : [];
}

function countOf(answer: unknown): number | undefined {
  if (Array.isArray(answer)) return countOfItems(answer);
  if (!isFields(answer)) return undefined;
  const counted = COUNTS.map((names) => sum(names.map((name) => answer[name]))).find((value) => value !== undefined);
  const list = LISTS.map((name) => answer[name]).find(Array.isArray);
  return counted ?? list?.length ?? (idOf(answer).length > 0 ? 1 : undefined);
}

/** Items are entries, or files with what became of theirs; namespaces, sessions and the like are neither. */
function countOfItems(items: readonly unknown[]): number | undefined {
  const changes = items.filter(isFields).flatMap(({ stored, removed }) => [stored, removed]);
  const entries = items.flatMap(idOf).length;
  return sum(changes) ?? (entries > 0 ? entries : undefined);
}

/** Of the numbers among them; undefined where there are none. */
function sum(values: readonly unknown[]): number | undefined {
  const numbers = values.filter((value) => typeof value === 'number');
  return numbers.length === 0 ? undefined : numbers.reduce((all, one) => all + one, 0);
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
