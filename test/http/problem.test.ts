import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ERROR_CODES, LoreError } from '../../src/memory/errors.ts';
import { PatchRequest, RecallRequest, SaveRequest, SearchRequest } from '../../src/memory/operations/operations.ts';
import { PROBLEMS, toProblem } from '../../src/http/responses/problem.ts';
import { parseRequest } from '../../src/memory/validation.ts';

describe('the error table', () => {
  it('maps every error code to a status and a code of the specification', () => {
    expect(Object.keys(PROBLEMS).toSorted()).toEqual([...ERROR_CODES].toSorted());
    const statuses = Object.fromEntries(ERROR_CODES.map((code) => [code, `${PROBLEMS[code].status} ${PROBLEMS[code].code}`]));
    expect(statuses).toEqual({
      invalid_input: '400 INVALID_REQUEST',
      unauthorized: '401 UNAUTHORIZED',
      forbidden: '403 FORBIDDEN',
      not_found: '404 NOT_FOUND',
      method_not_allowed: '405 INVALID_REQUEST',
      conflict: '409 CONFLICT',
      too_large: '413 INVALID_REQUEST',
      unsupported_media_type: '415 INVALID_REQUEST',
      key_reused: '422 INVALID_REQUEST',
      rate_limited: '429 RATE_LIMITED',
      unavailable: '503 UNAVAILABLE',
      network: '503 UNAVAILABLE',
      config: '500 INTERNAL_ERROR',
      filesystem: '500 INTERNAL_ERROR',
      internal: '500 INTERNAL_ERROR',
    });
  });

  it('shows messages of Lore and hides those of other libraries', () => {
    expect(toProblem(new LoreError('not_found', 'No entry has the id "x".')).body).toEqual({
      success: false,
      error: 'No entry has the id "x".',
      code: 'NOT_FOUND',
    });
    const hidden = { success: false, error: 'Something went wrong; the server log has the details.', code: 'INTERNAL_ERROR' };
    expect(toProblem(new Error('lance error: /home/ana/store: rust/io.rs:12')).body).toEqual(hidden);
    expect(toProblem(new LoreError('filesystem', 'Cannot write /home/ana/store.')).body).toEqual(hidden);
    expect(toProblem(undefined).body).toEqual(hidden);
    expect(toProblem('text').body).toEqual(hidden);
  });
});

function faultOf(schema: z.ZodObject, input: Record<string, unknown>): string {
  try {
    parseRequest(schema, input);
    return 'taken';
  } catch (error) {
    return error instanceof LoreError && error.code === 'invalid_input' ? error.message : `not ours: ${String(error)}`;
  }
}

describe('the message for an invalid field', () => {
  it.each([
    [SaveRequest, {}, 'content is required'],
    [SaveRequest, { content: null }, 'content is required'],
    [SaveRequest, { content: undefined, tags: 'x' }, 'content is required'],
    [SaveRequest, { tags: 'x', content: null }, 'content is required'],
    [RecallRequest, {}, 'query is required'],
    [RecallRequest, { query: null, limit: 1000 }, 'query is required'],
    [RecallRequest, { limit: 1000 }, 'query is required'],
    [SearchRequest, { query: 'x', filter: { importance: { min: -1 } } }, 'filter.importance.min must be at least 0'],
    [SearchRequest, { query: 'x', filter: { createdAfter: 'yesterday' } }, 'filter.createdAfter must be an ISO 8601 date or time'],
    [PatchRequest, {}, 'the request must change at least one field'],
  ])('%#: is one sentence', (schema, input, message) => {
    expect(faultOf(schema, input)).toBe(message);
  });

  it('exists for fault types that no schema produces today', () => {
    expect(faultOf(z.object({ address: z.email() }), { address: 'x' })).toBe('address is not valid');
    expect(faultOf(z.object({ either: z.union([z.number(), z.boolean()]) }), { either: 'x' })).toBe('either does not have an allowed form');
  });
});
