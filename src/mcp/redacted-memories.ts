import { LRUCache } from 'lru-cache';
import { redactEntry, redactResult } from '../memory/secrets/redacted-entry.ts';
import { redact } from '../memory/secrets/redaction.ts';
import type { SearchResults } from '../memory/operations/operations.ts';
import type { McpMemories } from './caller.ts';

/** Shorter texts are redacted faster than the cache is read. */
const LONG_CHARS = 4_096;
/** Redacted long texts: an agent reads such a text in many pages, and each page is cut from the whole text. */
const cleaned = new LRUCache<string, string>({ maxSize: 32 * 1024 * 1024, sizeCalculation: (clean, text) => clean.length + text.length });

function clean(text: string): string {
  if (text.length < LONG_CHARS) return redact(text).text;
  const known = cleaned.get(text);
  if (known !== undefined) return known;
  const found = redact(text).text;
  cleaned.set(text, found);
  return found;
}

/**
 * Wraps the memories for agents: redacts all secrets of a known form in results, regardless of `memory.redactSecrets`.
 */
export function redactedMemories(memories: McpMemories): McpMemories {
  const found = (results: SearchResults): SearchResults => ({
    ...results,
    results: results.results.map((result) => redactResult(result, clean)),
  });
  return {
    save: (request, options) => memories.save(request, options),
    recall: async (request, options) => found(await memories.recall(request, options)),
    search: async (request, options) => found(await memories.search(request, options)),
    list: async (request, options) => {
      const page = await memories.list(request, options);
      return { ...page, entries: page.entries.map((entry) => redactEntry(entry, clean)) };
    },
    get: async (id, options) => redactEntry(await memories.get(id, options), clean),
    update: async (id, patch, options) => redactEntry(await memories.update(id, patch, options), clean),
    forget: (id, options) => memories.forget(id, options),
    namespaces: (options) => memories.namespaces(options),
    health: (options) => memories.health(options),
    relations: memories.relations,
    // MCP tools do not return its previews.
    lifecycle: memories.lifecycle,
    capture: {
      // The service redacts the context, but an older server may not.
      context: async (request, options) => {
        const report = await memories.capture.context(request, options);
        return { ...report, text: clean(report.text) };
      },
    },
  };
}
