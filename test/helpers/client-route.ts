import { EntryResult } from '../../src/operations/entry.ts';
import { answerSchema, methodOf, pathOf, takesRequest, type AnyOperation } from '../../src/operations/operation.ts';
import { codecPaths, Time } from '../../src/operations/wire.ts';

/** The client's route of an operation. */
export function routeOf(operation: AnyOperation): Record<string, unknown> {
  const { as, counts, says, echoes, access, once, unlimited } = operation;
  const safe = operation.safe ?? (methodOf(operation) !== 'GET' && access === 'read');
  const schema = answerSchema({ ...operation, beside: {} });
  const [times, entries] = [codecPaths(schema, Time), codecPaths(schema, EntryResult)];
  return {
    method: methodOf(operation),
    path: pathOf(operation).replace('/api/', ''),
    ...(!takesRequest(operation) && { bare: true }),
    ...((as ?? says) !== undefined && { as: as ?? '' }),
    ...(echoes !== undefined && { echoes }),
    ...(counts !== undefined && as === undefined && { beside: ['count'] }),
    ...(times.length > 0 && { times }),
    ...(entries.length > 0 && { entries }),
    ...(safe && { safe }),
    ...(once && { once }),
    ...(unlimited && { unlimited }),
  };
}
