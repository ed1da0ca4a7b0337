import type { AuditRecord } from '../../memory/audit.ts';
import { callOf, type AnyOperation, type Noted } from '../../operations/operation.ts';

const MAX_IDS = 20;
const MAX_NAMESPACES = 20;

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

/** What may be said of an export, an import and events: where, how much, and whether it was only tried. `given` are the arguments. */
export function factsOf(given: readonly unknown[], answer: unknown): Facts {
  const requests = given.filter(isFields);
  const named = requests.map(({ namespace }) => namespace).filter((namespace) => typeof namespace === 'string');
  const { count, stored } = isFields(answer) ? answer : {};
  const counted = [count, stored].find((value) => typeof value === 'number');
  return {
    ...(named.length > 0 && { namespaces: [...new Set(named)] }),
    ...(counted !== undefined && { count: counted }),
    ...(requests.some(({ dryRun }) => dryRun === true) && { dryRun: true }),
  };
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
