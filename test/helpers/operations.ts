/** The operations of the OpenAPI document, for making requests and checking responses. */
import { openapiDocument } from '../../src/http/openapi/document.ts';

export type SchemaType = 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean' | 'null';

/** The JSON Schema keywords of the document; `fuzz/schema-check.ts` refuses others. */
export interface Schema {
  readonly $ref?: string;
  readonly anyOf?: readonly Schema[];
  readonly type?: SchemaType | readonly SchemaType[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly propertyNames?: Schema;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
}
export interface Parameter {
  readonly in: 'query' | 'path' | 'header';
  readonly name: string;
  readonly required?: boolean;
  readonly schema: Schema;
}
type Content = Readonly<Record<string, { readonly schema: Schema }>>;
interface Response {
  readonly $ref?: string;
  readonly content?: Content;
}
interface Described {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, Response>>;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>>; readonly responses: Readonly<Record<string, Response>> };
}

export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** Media types of the body with their schemas; empty if it takes no body. */
  readonly body: Content;
  /** Possible responses: for each status the media types with their schemas. */
  readonly answers: Readonly<Record<string, Content>>;
}

const document = openapiDocument('0.0.0') as Document;

/** Resolves a reference to a schema. */
export function resolved(schema: Schema): Schema {
  const name = schema.$ref?.slice('#/components/schemas/'.length);
  if (name === undefined) return schema;
  const found = document.components.schemas[name];
  if (found === undefined) throw new Error(`The document has no schema ${name}.`);
  return resolved(found);
}

function contentOf(response: Response): Content {
  const name = response.$ref?.slice('#/components/responses/'.length);
  return (name === undefined ? response : document.components.responses[name])?.content ?? {};
}

/** Every operation of the document. */
export const OPERATIONS: readonly Operation[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { operationId, parameters = [], requestBody, responses }]) => ({
    id: operationId,
    method: method.toUpperCase(),
    path,
    parameters,
    body: requestBody?.content ?? {},
    answers: Object.fromEntries(Object.entries(responses).map(([status, response]) => [status, contentOf(response)])),
  })),
);
