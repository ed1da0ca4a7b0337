import { readFileSync } from 'node:fs';
import { contextPlace } from '../config/context-place.ts';
import { GLOBAL_NAMESPACE } from '../memory/vocabulary.ts';

interface Wanted {
  readonly storagePath: string;
  /** Default: that of `cwd`. */
  readonly namespace: string | undefined;
  readonly cwd: string;
}

/** What the last process with the store open left for the start of a session; undefined where there is nothing. Never rejects. */
export async function keptContext({ storagePath, namespace, cwd }: Wanted): Promise<string | undefined> {
  const place = contextPlace(storagePath);
  if (place === undefined) return undefined;
  try {
    const name = namespace ?? (await namespaceOf(cwd));
    // A project of which nothing is kept gets what holds for all.
    return [name, GLOBAL_NAMESPACE].map((each) => textIn(place.fileOf(each), each)).find((text) => text !== undefined);
  } catch {
    return undefined;
  }
}

/** Loaded only here: a hook beside a server has no use for it. */
async function namespaceOf(cwd: string): Promise<string> {
  const { detectNamespace } = await import('../config/namespace.ts');
  return (await detectNamespace({ cwd })).namespace;
}

function textIn(file: string, wanted: string): string | undefined {
  try {
    const { namespace, text } = JSON.parse(readFileSync(file, 'utf8')) as { readonly namespace?: unknown; readonly text?: unknown };
    return namespace === wanted && typeof text === 'string' && text !== '' ? text : undefined;
  } catch {
    return undefined;
  }
}
