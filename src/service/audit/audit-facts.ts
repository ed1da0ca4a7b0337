import type { AuditRecord } from '../../memory/audit.ts';
import type { AnyOperation, Call, AuditFields } from '../../operations/operation.ts';
import { withoutUndefined } from '../../memory/without-undefined.ts';

const MAX_IDS = 20;
const MAX_NAMESPACES = 20;

/** The audit facts of a call, as defined by its operation. */
export function factsOf(
  { notes }: AnyOperation,
  { id, request }: Pick<Call, 'id' | 'request'>,
  result: unknown,
): Pick<AuditRecord, 'subject' | 'granted' | 'namespaces' | 'ids' | 'count' | 'dryRun'> {
  const { subject, granted, namespaces = [], ids = [], count, dryRun = false }: AuditFields = notes?.(request, result) ?? {};
  const all = [...new Set([id ?? [], ids].flat())];
  return {
    ...withoutUndefined({ subject, granted }),
    ...(namespaces.length > 0 && { namespaces: [...new Set(namespaces)].slice(0, MAX_NAMESPACES) }),
    ...(all.length > 0 && { ids: all.slice(0, MAX_IDS) }),
    ...withoutUndefined({ count }),
    ...((dryRun || request['dryRun'] === true) && { dryRun: true }),
  };
}
