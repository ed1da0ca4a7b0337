import { LoreError } from '../memory/errors.ts';

/** Parses a JSON Lines stream, with one line in memory. Rejects with `network` if the stream ends inside a line. */
export async function* jsonLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<unknown> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let pending: string[] = [];
  for await (const chunk of chunks) {
    const [first = '', ...rest] = decoder.decode(chunk, { stream: true }).split('\n');
    pending.push(first);
    for (const next of rest) {
      const line = pending.join('');
      pending = [next];
      if (line.trim() !== '') yield parsed(line);
    }
  }
  const last = pending.join('') + decoder.decode();
  if (last.trim() !== '') yield parsed(last);
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (cause) {
    throw new LoreError('network', 'The response of the server was cut off.', { cause });
  }
}
