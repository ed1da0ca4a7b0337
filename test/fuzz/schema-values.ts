/** Values that a schema of the OpenAPI document takes, as far as it can be told from the schema and from the name of the field. */
import * as fc from 'fast-check';
import { resolved, type Schema, type SchemaType } from '../helpers/operations.ts';

/** Stands in a request for something that only the store knows, and is replaced before it is sent (`known-names.ts`). */
const known = (kind: 'id' | 'gone' | 'token' | 'run' | 'backup'): fc.Arbitrary<string> =>
  fc.integer({ min: 0, max: 9 }).map((nth) => `~${kind}${nth}~`);

const words = fc
  .array(fc.constantFrom('deploy', 'Tuesday', 'src/app.ts', 'ECONNRESET', 'port 7007', 'not', 'Ana', 'https://example.org/a?b=c', '🐟'), {
    minLength: 1,
    maxLength: 8,
  })
  .map((some) => some.join(' '));
const name = fc.constantFrom('test', 'global', 'owner/repo', 'other', "it's", '%', '__proto__', 'Ünï', 'a b');
const tag = fc.constantFrom('deploy', 'decision', 'draft', "it's", '[x', 'a,b', '__proto__');
const id = fc.oneof(
  { weight: 6, arbitrary: known('id') },
  { weight: 1, arbitrary: known('gone') },
  known('id').map((text) => `mem_${text}`),
);
const instant = fc.oneof(
  fc.constantFrom('2026-01-31', '2026-01-31T10:00:00Z', '2026-01-31T10:00:00+05:30', '1970-01-01', '9999-12-31T23:59:59.999Z'),
  fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true }).map((date) => date.toISOString()),
);

/** Fields whose names say more than their schemas. */
const BY_NAME: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  id,
  ids: id,
  sourceId: id,
  targetId: id,
  seed: id,
  namespace: name,
  container: name,
  from: name,
  to: name,
  into: name,
  tags: tag,
  add: tag,
  remove: tag,
  query: words,
  content: words,
  prompt: words,
  text: words,
  input: words,
  output: words,
  createdAfter: instant,
  createdBefore: instant,
  since: instant,
  confirm: known('token'),
  run: fc.oneof(known('run'), fc.constant('no such run')),
  name: fc.oneof(known('backup'), fc.constantFrom('src/app.ts', 'Ana')),
  session: fc.constantFrom('one', 'two'),
  timeZone: fc.constantFrom('UTC', 'Europe/Berlin', 'Asia/Kathmandu', 'America/Argentina/Ushuaia'),
  range: fc.constantFrom('30d', '12m', 'all', '1d'),
  cwd: fc.constantFrom('/no/such/folder', '/'),
  root: fc.constantFrom('here', '/there', '../up'),
  path: fc.constantFrom('a.ts', 'docs/a.md', '../../etc/passwd'),
  paths: fc.constantFrom('a.ts', 'docs/a.md', 'nowhere'),
  hash: fc.constantFrom('1', '2'),
};

const SIZES = { maxLength: 3 } as const;

/** Values for a field. `field` is its name. */
export function valueFor(given: Schema, field = ''): fc.Arbitrary<unknown> {
  const schema = resolved(given);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if ('const' in schema) return fc.constant(schema.const);
  const isText = schema.type === 'string' || schema.anyOf !== undefined;
  const named = Object.hasOwn(BY_NAME, field) ? BY_NAME[field] : undefined;
  if (isText && named !== undefined) return fc.oneof({ weight: 8, arbitrary: named }, { weight: 1, arbitrary: bySchema(schema, field) });
  return bySchema(schema, field);
}

function bySchema(schema: Schema, field: string): fc.Arbitrary<unknown> {
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map((one) => valueFor(one)));
  switch (typeOf(schema)) {
    case 'object':
      return objectFor(schema);
    case 'array':
      return fc.array(valueFor(schema.items ?? {}, field), { minLength: schema.minItems ?? 0, maxLength: (schema.minItems ?? 0) + 3 });
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return numberFor(schema, (min, max) => fc.integer({ min, max }));
    case 'number':
      return numberFor(schema, (min, max) => fc.double({ min, max, noNaN: true }));
    case 'string':
      return textFor(schema);
    case 'null':
      return fc.constant(null);
    case 'any':
      return fc.jsonValue({ maxDepth: 2 });
  }
}

/** The first where it may be of several. */
const typeOf = ({ type }: Schema): SchemaType | 'any' => [type ?? []].flat()[0] ?? 'any';

function numberFor(
  { minimum = -1000, maximum = 1000 }: Schema,
  between: (min: number, max: number) => fc.Arbitrary<number>,
): fc.Arbitrary<number> {
  const max = Math.max(minimum, maximum);
  return fc.oneof(between(minimum, Math.min(max, minimum + 20)), between(minimum, max), fc.constantFrom(minimum, max));
}

function textFor({ pattern, minLength = 0, maxLength = 30 }: Schema): fc.Arbitrary<string> {
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern));
  return fc.oneof(
    { weight: 4, arbitrary: fc.string({ unit: 'grapheme', minLength, maxLength: Math.max(minLength, Math.min(maxLength, 30)) }) },
    { weight: 1, arbitrary: fc.string({ minLength: maxLength, maxLength }) },
  );
}

function objectFor({ properties = {}, required = [], additionalProperties }: Schema): fc.Arbitrary<unknown> {
  const fields = Object.entries(properties).map(([field, schema]) => {
    const value = valueFor(schema, field).map((one): unknown[] => [[field, one]]);
    return required.includes(field) ? value : fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: value });
  });
  const extra =
    typeof additionalProperties === 'object'
      ? fc.array(fc.tuple(fc.string({ maxLength: 8 }), valueFor(additionalProperties)), SIZES)
      : fc.constant([]);
  // Object.fromEntries defines, so a field may be called __proto__.
  return fc.tuple(...fields, extra).map((parts) => Object.fromEntries(parts.flat() as [string, unknown][]));
}
