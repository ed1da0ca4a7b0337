/** The OpenAPI 3.1 document, built from the zod schemas that validate requests and type responses. */
import {
  createDocument,
  type ZodOpenApiObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathItemObject,
  type ZodOpenApiPathsObject,
} from 'zod-openapi';
import { definedPaths } from './operation-paths.ts';
import { serverPaths } from './server.ts';

interface Section {
  readonly name: string;
  /** Description of the tag. */
  readonly description: string;
  readonly paths: ZodOpenApiPathsObject;
}

/** The tags in the order of the page, most used first. */
const SECTIONS: readonly Section[] = [
  {
    name: 'Memories',
    description: 'Save and find entries.',
    paths: {
      ...definedPaths('memories', ['save']),
      ...definedPaths('memories', ['recall', 'search', 'explain', 'list']),
      ...definedPaths('bulk'),
      ...definedPaths('memories', ['get', 'update', 'forget', 'markUsed']),
      ...definedPaths('details'),
    },
  },
  {
    name: 'Namespaces',
    description: 'Entries are grouped by project; `global` belongs to none.',
    paths: { ...definedPaths('memories', ['namespaces']), ...definedPaths('moves') },
  },
  {
    name: 'Relations and entities',
    description: 'Relations between entries, and names in them.',
    paths: definedPaths('relations'),
  },
  { name: 'Lifecycle', description: 'Forgetting, the archive, and earlier versions.', paths: definedPaths('lifecycle') },
  {
    name: 'Capture and context',
    description: 'Events from the hooks of coding agents, and context for them.',
    paths: definedPaths('capture'),
  },
  { name: 'Files', description: 'Files of projects and documents, with their passages.', paths: definedPaths('sources') },
  {
    name: 'Export, import and migration',
    description: 'Export and import, and the change to another model.',
    paths: { ...definedPaths('memories', ['export', 'import']), ...definedPaths('memories', ['migrate']) },
  },
  { name: 'Sync', description: 'Routes that push and pull use.', paths: definedPaths('sync') },
  { name: 'Backups', description: 'Backups of the whole store.', paths: definedPaths('backups') },
  { name: 'API keys', description: 'Keys for the server, and their scope.', paths: definedPaths('keys') },
  {
    name: 'Server',
    description: 'Health, statistics, events and settings.',
    paths: { ...serverPaths, ...definedPaths('settings', ['change']) },
  },
];

function tagged({ name, paths }: Section): [string, ZodOpenApiPathItemObject][] {
  return Object.entries(paths).map(([path, item]) => {
    const operations = Object.entries(item as Record<string, ZodOpenApiOperationObject>);
    return [path, Object.fromEntries(operations.map(([method, operation]) => [method, { ...operation, tags: [name] }]))];
  });
}

/** Builds the document. `version`: the version of the server. */
export function openapiDocument(version: string): object {
  const description: ZodOpenApiObject = {
    openapi: '3.1.0',
    info: {
      title: 'Lore',
      version,
      description: 'A local memory store: save, recall, search, list and forget.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    tags: SECTIONS.map(({ name, description }) => ({ name, description })),
    paths: Object.fromEntries(SECTIONS.flatMap(tagged)),
    components: {
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
    },
    // Either header, or none if the server has no API key.
    security: [{ apiKey: [] }, { bearer: [] }, {}],
  };
  return createDocument(description, { override: ({ jsonSchema }) => withoutNoise(jsonSchema) });
}

/** Removes redundant keywords: the long pattern of a format, and the bounds of safe integers. */
function withoutNoise(schema: { format?: unknown; pattern?: unknown; maximum?: unknown; minimum?: unknown }): void {
  if (schema.format !== undefined) delete schema.pattern;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
}
