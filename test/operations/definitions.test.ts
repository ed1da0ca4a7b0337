import { expect, it } from 'vitest';
import { answerSchema, methodOf, pathOf, takesRequest, type AnyOperation } from '../../src/operations/operation.ts';
import { EntryResult } from '../../src/operations/entry.ts';
import { operationsOf, OPERATIONS, type OperationGroup } from '../../src/operations/table.ts';
import { placesOf, Time } from '../../src/operations/wire.ts';

it('the routes that the client knows are those that are defined', async () => {
  const groups = Object.keys(OPERATIONS).map((group) => {
    const lines = operationsOf(group as OperationGroup).map(([name, operation]) => `    ${name}: ${literal(routeOf(operation))},\n`);
    return `  ${group}: {\n${lines.join('')}  },\n`;
  });
  const head = '/** What a client must know of every operation. Made by `npm run generate` from src/operations: do not edit. */\n';
  const text = `${head}export const ROUTES = {\n${groups.join('')}} as const;\n`;
  await expect(text).toMatchFileSnapshot('../../src/client/routes.ts');
});

function routeOf(operation: AnyOperation): Record<string, unknown> {
  const { as, counts, says, access, once, unlimited } = operation;
  const safe = operation.safe ?? (methodOf(operation) !== 'GET' && access === 'read');
  const schema = answerSchema(operation);
  const [times, entries] = [placesOf(schema, Time), placesOf(schema, EntryResult)];
  return {
    method: methodOf(operation),
    path: pathOf(operation).replace('/api/', ''),
    ...(!takesRequest(operation) && { bare: true }),
    ...((as ?? says) !== undefined && { as: as ?? '' }),
    ...(counts !== undefined && as === undefined && { beside: ['count'] }),
    ...(times.length > 0 && { times }),
    ...(entries.length > 0 && { entries }),
    ...(safe && { safe }),
    ...(once && { once }),
    ...(unlimited && { unlimited }),
  };
}

function literal(value: unknown): string {
  if (typeof value === 'string') return `'${value}'`;
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  return `{ ${Object.entries(value)
    .map(([name, member]) => `${name}: ${literal(member)}`)
    .join(', ')} }`;
}
