import type { z } from 'zod';
import { expect } from 'vitest';
import { answerSchema, methodOf } from '../../src/operations/operation.ts';
import { operationOf, type OPERATIONS, type OperationGroup } from '../../src/operations/table.ts';
import { writtenSchema } from '../../src/operations/wire.ts';
import type { Answer } from './server.ts';

type Call = (method: string, path: string, body?: unknown) => Promise<Answer>;

/** Requests both representations of an operation that reads or is idempotent: the response is the same and matches its definition exactly. */
export function oneForm<Group extends OperationGroup>(group: Group, call: Call) {
  return async (name: keyof (typeof OPERATIONS)[Group] & string, path: string, body?: unknown): Promise<Answer['body']> => {
    const operation = operationOf(group, name)!;
    const schema = writtenSchema(answerSchema(operation)) as z.ZodObject;
    const bodies: Answer['body'][] = [];
    for (const form of ['reference', 'guide']) {
      const got = await call(methodOf(operation), `${path}${path.includes('?') ? '&' : '?'}form=${form}`, body);
      expect([got.status, got.body?.error]).toEqual([200, undefined]);
      expect(schema.parse(got.body)).toEqual(got.body);
      bodies.push(got.body);
    }
    expect(Object.keys(bodies[0]!)).toEqual(Object.keys(bodies[1]!));
    return bodies[0]!;
  };
}
