import type { StoreEvent } from '../memory/operations/event-operations.ts';

/** The events of a stream of server-sent events, one at a time; what has no name and no content keeps a connection alive and is left out. */
export async function* eventsIn(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<StoreEvent> {
  const decoder = new TextDecoder();
  let pending = '';
  for await (const chunk of chunks) {
    const blocks = (pending + decoder.decode(chunk, { stream: true })).split('\n\n');
    pending = blocks.pop() ?? '';
    for (const block of blocks) {
      const { id, event: type, data } = fieldsOf(block);
      if (type !== undefined && data !== undefined) yield { id, type, ...(JSON.parse(data) as object) } as StoreEvent;
    }
  }
}

function fieldsOf(block: string): Record<string, string> {
  const lines = block.split('\n').map((line) => /^([^:]+): ?(.*)$/.exec(line));
  return Object.fromEntries(lines.flatMap((line) => (line === null ? [] : [[line[1], line[2]]]))) as Record<string, string>;
}
