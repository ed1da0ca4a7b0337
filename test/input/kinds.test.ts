import { describe, expect, it } from 'vitest';
import { readQuery } from '../../src/http/query.ts';
import { z } from 'zod';
import type { LoreRequest } from '../../src/http/exchange.ts';
import { outcome, read } from './kind.ts';
import { asText, KINDS } from './kinds.ts';

const ALL = Object.entries(KINDS);

/** As `read`, of a parameter. */
function readParameter(schema: z.ZodType, text: string): ReturnType<typeof read> {
  const req = { search: `?field=${text}` } as LoreRequest;
  return outcome(() => readQuery(z.strictObject({ field: schema.optional() }), req)['field']);
}

/** What became of each case, under its name. */
const results = <T>(cases: Readonly<Record<string, T>>, of: (one: T) => unknown): Record<string, unknown> =>
  Object.fromEntries(Object.entries(cases).map(([name, one]) => [name, of(one)]));

describe.each(ALL)('a field of the kind %s', (_, kind) => {
  const { schema, refused, accepted, changed = {} } = kind;
  it('rejects invalid values with a reason', () => {
    expect(results(refused, ([value]) => read(schema, value))).toEqual(results(refused, ([, reason]) => ({ reason })));
  });

  it('accepts every other value', () => {
    expect(results(accepted, (value) => read(schema, value))).toEqual(results(accepted, (value) => ({ value })));
    expect(results(changed, ([given]) => read(schema, given))).toEqual(results(changed, ([, value]) => ({ value })));
  });

  it('does the same in a query, as far as it can be expressed', () => {
    const texts = Object.fromEntries(
      Object.entries(refused).flatMap(([name, [value, reason]]) => {
        const text = asText(kind, value);
        return text === undefined ? [] : [[name, { text, reason }]];
      }),
    );
    expect(results(texts, ({ text }) => readParameter(schema, text))).toEqual(results(texts, ({ reason }) => ({ reason })));
    const good = Object.fromEntries(Object.entries(accepted).filter(([, value]) => asText(kind, value) !== undefined));
    expect(results(good, (value) => readParameter(schema, asText(kind, value)!))).toEqual(results(good, (value) => ({ value })));
  });
});

it('every kind lists its test values', () => {
  expect(ALL.filter(([, { refused, telling }]) => telling.length === 0 || telling.some((name) => !Object.hasOwn(refused, name)))).toEqual(
    [],
  );
});
