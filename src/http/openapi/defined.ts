/** The part of the document that is made from the definitions of operations. */
import { z } from 'zod';
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi';
import { answerSchema, hasId, methodOf, pathOf } from '../../operations/operation.ts';
import { operationsOf, type OperationGroup } from '../../operations/table.ts';
import { writtenSchema } from '../../operations/wire.ts';
import { RESPONSE_FORMS } from '../forms/forms.ts';
import { IdPath, problemsOf, repeatable, WITH_BODY, WITH_QUERY } from './answers.ts';

const OneForm = z.strictObject({
  form: z.enum(RESPONSE_FORMS).optional().meta({ description: 'Changes nothing here: the answer has one form.' }),
});

/** The paths of a group of operations. */
export function definedPaths(group: OperationGroup): ZodOpenApiPathsObject {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const [, operation] of operationsOf(group)) {
    const { id, summary, description, answer, request, problems = [] } = operation;
    const method = methodOf(operation);
    const isRead = method === 'GET';
    const schema = answerName(writtenSchema(answerSchema(operation)), id);
    const described: ZodOpenApiOperationObject = {
      operationId: id,
      summary,
      ...(description !== undefined && { description }),
      requestParams: { ...(hasId(operation) && { path: IdPath }), query: isRead ? request.extend(OneForm.shape) : OneForm },
      ...(!isRead && { requestBody: { required: method !== 'DELETE', content: { 'application/json': { schema: request } } } }),
      responses: {
        '200': { description: answer, content: { 'application/json': { schema } } },
        ...problemsOf([...problems, ...(isRead ? WITH_QUERY : WITH_BODY)]),
      },
    };
    const path = pathOf(operation).replace(':id', '{id}');
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation.repeatable === true ? repeatable(described) : described };
  }
  return paths;
}

const answerName = (schema: z.ZodType, id: string): z.ZodType => schema.meta({ id: `${id.charAt(0).toUpperCase()}${id.slice(1)}Answer` });
