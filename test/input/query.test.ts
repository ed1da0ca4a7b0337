import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { LoreRequest } from '../../src/http/exchange.ts';
import { readQuery } from '../../src/http/query.ts';
import { ListRequest } from '../../src/memory/operations/operations.ts';
import { outcome } from './kind.ts';

const QUERY = z.strictObject({ field: z.string().optional(), tags: ListRequest.shape.tags, limit: ListRequest.shape.limit });
const read = (search: string): unknown => outcome(() => readQuery(QUERY, { search } as LoreRequest));

describe('a list in a query', () => {
  it.each([
    ['tags=', []],
    ['tags=a', ['a']],
    ['tags=a,b%20,%20c', ['a', 'b', 'c']],
    ['tags=%5B%22a,b%22%5D', ['a,b']],
    ['tags=%5Ba', ['[a']],
  ])('%s is %j', (search, tags) => {
    expect(read(`?${search}`)).toEqual({ value: { tags } });
  });

  it.each([
    ['tags=a,,b', 'tags[1] must not be empty'],
    [`tags=a,${'x'.repeat(129)}`, 'tags[1] must be at most 128 characters'],
    [`tags=${Array.from({ length: 65 }, (_, at) => at).join(',')}`, 'tags must have at most 64 tags'],
    ['tags=a%07', 'tags[0] must not contain control characters'],
    ['tags=%EF%BB%BFa', 'tags[0] must not contain zero-width or bidirectional control characters (U+FEFF)'],
    ['tags=%5B1%5D', 'tags[0] must be a string'],
  ])('%s is rejected', (search, reason) => {
    expect(read(`?${search}`)).toEqual({ reason });
  });
});

describe('a query', () => {
  it.each(['field=%C3', 'field=%ED%A0%80', 'field=%', '%C3=a', 'other=%zz'])('%s is not text', (search) => {
    expect(read(`?${search}`)).toEqual({ reason: 'The query string is not percent-encoded UTF-8.' });
  });

  it('names a parameter that is given twice, in any notation', () => {
    expect(read('?field=a&fi%65ld=a')).toEqual({ reason: '`field` must be given only once' });
  });

  it('reads a plus as a blank, and a value without a name as empty', () => {
    expect(read('?field=a+b%2B')).toEqual({ value: { field: 'a b+' } });
    expect(read('?field&&limit=3')).toEqual({ value: { field: '', limit: 3 } });
    expect(read('')).toEqual({ value: {} });
  });

  it('rejects numbers that are invalid in JSON', () => {
    for (const text of ['', 'ten', '1e1', '0x10', '%201', '+1', '1.', '.5', '9'.repeat(400), 'NaN', 'Infinity'])
      expect(read(`?limit=${text}`)).toEqual({ reason: 'limit must be a number' });
  });
});
