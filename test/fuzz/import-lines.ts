/** What is sent to an import: lines as an export writes them, nearly such lines, and others. */
import * as fc from 'fast-check';
import { hostileText, hostileValue } from './hostile.ts';
import { nearly } from './near-values.ts';
import { valueFor } from './schema-values.ts';

const toJson = (value: unknown): string => JSON.stringify(value) ?? 'undefined';

const importLine = fc.oneof(
  { weight: 4, arbitrary: fc.record({ content: valueFor({ type: 'string' }, 'content') }).map(toJson) },
  { weight: 3, arbitrary: nearly(exportedLine()).map(toJson) },
  { weight: 2, arbitrary: exportedLine().map(toJson) },
  { weight: 1, arbitrary: hostileText },
  { weight: 1, arbitrary: hostileValue.map(toJson) },
);
/** Up to five lines. */
export const importLines: fc.Arbitrary<string> = fc.array(importLine, { maxLength: 5 }).map((lines) => lines.join('\n'));

/** Lines as an export writes them. */
function exportedLine(): fc.Arbitrary<unknown> {
  const text = (field: string): fc.Arbitrary<unknown> => valueFor({ type: 'string' }, field);
  const entry = fc.record({
    id: text('id'),
    content: text('content'),
    metadata: fc.record({
      namespace: text('namespace'),
      container: text('container'),
      tags: fc.array(text('tags'), { maxLength: 3 }),
      timestamp: text('since'),
      updatedAt: text('since'),
      priority: fc.constantFrom('low', 'medium', 'high'),
      importance: fc.double({ min: 0, max: 1, noNaN: true }),
      source: fc.constantFrom('api', 'mcp', 'auto-capture'),
    }),
  });
  const relation = fc.record({
    sourceId: text('id'),
    targetId: text('id'),
    type: fc.constantFrom('similar', 'references', 'supersedes'),
    strength: fc.double({ min: 0, max: 1, noNaN: true }),
    createdAt: fc.integer({ min: 0, max: 2e12 }),
    origin: fc.constantFrom('auto', 'manual'),
  });
  return fc.oneof(
    entry,
    relation.map((one) => ({ relation: one })),
    fc.record({ lore: fc.record({ version: fc.constantFrom('0.9.0', 1) }) }),
    fc.record({ embedding: fc.array(fc.double(), { maxLength: 4 }), embedder: text('name'), content: text('content') }),
  );
}
