/** Shared components of the OpenAPI document: error responses and common parameters. */
import { z } from 'zod';
import type { ZodOpenApiOperationObject, ZodOpenApiResponsesObject } from 'zod-openapi';
import { FormQuery, RESPONSE_FORMS } from '../representations/representations.ts';
import { MAX_KEY_LENGTH } from '../idempotency-key.ts';
import { PROBLEM_CODES } from '../responses/problem.ts';

export { FormQuery };
/** The `form` parameter of operations with only one representation. */
export const FormParameter = z.strictObject({
  form: z.enum(RESPONSE_FORMS).optional().meta({ description: 'Has no effect here: the response has only one form.' }),
});

/** Schema of every error. */
export const Problem = z.object({ success: z.literal(false), error: z.string(), code: z.enum(PROBLEM_CODES) }).meta({ id: 'Problem' });
/** Path parameter of the routes of one entry. */
export const IdPath = z.object({ id: z.string().meta({ description: 'A UUID, with or without the prefix `mem_`.' }) });
/** A list in a query string. */
export const Comma = z.string().optional().meta({ description: 'Separated by commas, or a JSON array; entries must have all of them.' });

/** An error response with a description for one operation. */
export const problemResponse = (description: string) => ({ description, content: { 'application/json': { schema: Problem } } });
const problem = (status: number, description: string) => ({ id: `Problem${status}`, ...problemResponse(description) });
const PROBLEMS = {
  '400': problem(400, 'The request is not valid: `error` names the field and the requirement. Unlisted fields and parameters are refused.'),
  '401': problem(401, 'No API key, or an unknown one.'),
  '403': problem(403, 'The Host header names another host, or the key does not allow this.'),
  '404': problem(404, 'No entry has this id, or no route has this path.'),
  '405': problem(405, 'The route takes other methods: see `Allow`.'),
  '409': problem(409, 'A request with this `Idempotency-Key` is in progress: send it again after `Retry-After` seconds.'),
  '413': problem(413, 'The body is larger than `server.bodyLimitBytes`.'),
  '415': problem(415, 'The body has another content type, or is compressed.'),
  '422': problem(422, 'This `Idempotency-Key` was used for another request.'),
  '429': problem(429, 'Too many requests: see `Retry-After`, seconds.'),
  '500': problem(500, 'Something went wrong; the server log has the details.'),
  '503': problem(503, 'The store cannot do this now: read-only, full or closing.'),
} as const;
type Problems = keyof typeof PROBLEMS;

/** Errors of every operation. */
const EVERYWHERE: readonly Problems[] = ['401', '403', '405', '429', '500', '503'];
/** Errors of operations without a request body. */
export const WITH_QUERY: readonly Problems[] = ['400', ...EVERYWHERE];
/** Errors of operations with a request body. */
export const WITH_BODY: readonly Problems[] = ['400', '413', '415', ...EVERYWHERE];

export function namedSchema(schema: z.ZodType, id: string): z.ZodType {
  return schema.meta()?.id === undefined ? schema.meta({ id }) : schema;
}

export const IN_TWO_FORMS = 'The first schema is the reference form, the second the guide form.';

/** Error responses by status. */
export function problemsOf(problems: readonly Problems[]): ZodOpenApiResponsesObject {
  return Object.fromEntries([...problems].toSorted().map((status) => [status, PROBLEMS[status]]));
}

const KeyHeader = z.object({
  'Idempotency-Key': z
    .string()
    .optional()
    .meta({
      description: `Makes the request safe to repeat: for a day, the same request with the same key gets the same response and is not carried out again. 1 to ${MAX_KEY_LENGTH} visible ASCII characters, best a UUID, in double quotes or plain.`,
    }),
});
const ReplayedHeader = z.object({
  'Idempotent-Replayed': z.literal('true').optional().meta({ description: 'The response of an earlier request; nothing was done now.' }),
});

/** Adds the `Idempotency-Key` to an operation. */
export function repeatable(operation: ZodOpenApiOperationObject): ZodOpenApiOperationObject {
  const { requestParams, responses } = operation;
  return {
    ...operation,
    requestParams: { ...requestParams, header: KeyHeader },
    responses: {
      ...responses,
      '200': { ...responses['200'], headers: ReplayedHeader },
      ...problemsOf(['409', '422']),
    } as ZodOpenApiResponsesObject,
  };
}
