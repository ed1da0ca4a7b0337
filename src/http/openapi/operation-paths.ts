/** Builds the paths of the document from the definitions of operations. */
import { z } from 'zod';
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject, ZodOpenApiResponseObject } from 'zod-openapi';
import { answerSchema, hasId, methodOf, pathOf, takesRequest, type AnyOperation, type StreamForm } from '../../operations/operation.ts';
import { operationsOf, type OPERATIONS, type OperationGroup } from '../../operations/table.ts';
import { writtenSchema } from '../../operations/wire.ts';
import { guideOperations } from '../representations/guide.ts';
import { parameterType } from '../query.ts';
import {
  Comma,
  FormQuery,
  IdPath,
  IN_TWO_FORMS,
  namedSchema,
  FormParameter,
  problemResponse,
  Problem,
  problemsOf,
  repeatable,
  WITH_BODY,
  WITH_QUERY,
} from './components.ts';
import { withoutUndefined } from '../../memory/without-undefined.ts';

const inGuideForm: Readonly<Record<string, z.ZodObject>> = guideOperations;

/** The paths of a group of operations, optionally only of the named ones. */
export function definedPaths<Group extends OperationGroup>(
  group: Group,
  names?: readonly (keyof (typeof OPERATIONS)[Group])[],
): ZodOpenApiPathsObject {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const [name, operation] of operationsOf(group)) {
    if (names?.includes(name as keyof (typeof OPERATIONS)[Group]) === false) continue;
    const { streamed } = operation;
    const described = streamed === undefined ? describedOperation(operation) : describedStream(operation, streamed);
    const path = pathOf(operation).replace(':id', '{id}');
    paths[path] = { ...paths[path], [methodOf(operation).toLowerCase()]: described };
  }
  return paths;
}

function describedOperation(operation: AnyOperation): ZodOpenApiOperationObject {
  const { id, summary, description, answer, request, problems = [] } = operation;
  const method = methodOf(operation);
  const isRead = method === 'GET';
  const guide = inGuideForm[id];
  const reference = writtenSchema(answerSchema(operation)).meta({ id: answerName(id) });
  const schema = guide === undefined ? reference : z.union([reference, namedSchema(guide, `Guide${answerName(id)}`)]);
  const form = guide === undefined ? FormParameter : FormQuery;
  const hasBody = !isRead && (method !== 'DELETE' || takesRequest(operation));
  return withConflict(operation, {
    operationId: id,
    summary,
    ...withoutUndefined({ description }),
    requestParams: { ...(hasId(operation) && { path: IdPath }), query: isRead ? queryOf(request).extend(form.shape) : form },
    ...(hasBody && { requestBody: { required: method !== 'DELETE', content: { 'application/json': { schema: request } } } }),
    responses: {
      '200': { description: guide === undefined ? answer : `${answer} ${IN_TWO_FORMS}`, content: { 'application/json': { schema } } },
      ...problemsOf([...problems, ...(hasBody ? WITH_BODY : WITH_QUERY)]),
    },
  });
}

function describedStream({ summary, description, answer, id }: AnyOperation, streamed: StreamForm): ZodOpenApiOperationObject {
  const { query, header, takes, sends, refusal } = streamed;
  return {
    operationId: id,
    summary,
    ...withoutUndefined({ description }),
    ...(takes && { requestBody: { required: true, content: contentOf(takes) } }),
    requestParams: { query: query.extend(FormParameter.shape), ...withoutUndefined({ header }) },
    responses: {
      '200': { description: answer, content: contentOf(sends) },
      ...problemsOf(takes === undefined ? WITH_QUERY : WITH_BODY),
      ...(refusal && { '400': refusedWith(refusal) }),
    },
  };
}

const contentOf = (types: StreamForm['sends']): NonNullable<ZodOpenApiResponseObject['content']> =>
  Object.fromEntries(Object.entries(types).map(([type, schema]) => [type, { schema }]));

function refusedWith({ description, id, adds }: NonNullable<StreamForm['refusal']>): ZodOpenApiResponseObject {
  const schema = z.union([Problem, Problem.extend(adds.shape).meta({ id })]);
  return { description, content: contentOf({ 'application/json': schema }) };
}

/** The query parameters of a GET. A list is one string. */
function queryOf(request: z.ZodObject): z.ZodObject {
  const lists = Object.entries<z.core.$ZodType>(request.shape).filter(([, field]) => parameterType(field) === 'array');
  return request.extend(Object.fromEntries(lists.map(([name]) => [name, Comma])));
}

const BUSY_KEY = 'or a request with this `Idempotency-Key` is in progress: send it again after `Retry-After` seconds';

/** Adds the meaning of a 409 for this operation. */
function withConflict(
  { repeatable: isRepeatable, conflict }: AnyOperation,
  described: ZodOpenApiOperationObject,
): ZodOpenApiOperationObject {
  const complete = isRepeatable === true ? repeatable(described) : described;
  if (conflict === undefined) return complete;
  const problem = problemResponse(`${conflict}${isRepeatable === true ? `, ${BUSY_KEY}` : ''}.`);
  return { ...complete, responses: { ...complete.responses, '409': problem } };
}

const answerName = (id: string): string => `${id.charAt(0).toUpperCase()}${id.slice(1)}Answer`;
