import { readFileSync } from 'node:fs';
import { contextLocation } from '../config/context-location.ts';
import { GLOBAL_NAMESPACE } from '../memory/vocabulary.ts';

interface ContextWanted {
  readonly storagePath: string;
  /** Default: the namespace of `cwd`. */
  readonly namespace: string | undefined;
  readonly cwd: string;
}

/** The context for the start of a session that the last process with the store open has written; undefined if there is none. Never rejects. */
export async function storedContext({ storagePath, namespace, cwd }: ContextWanted): Promise<string | undefined> {
  const place = contextLocation(storagePath);
  if (place === undefined) return undefined;
  try {
    const name = namespace ?? (await namespaceOf(cwd));
    // A project without a stored context gets the global one.
    return [name, GLOBAL_NAMESPACE].map((each) => textIn(place.fileOf(each), each)).find((text) => text !== undefined);
  } catch {
    return undefined;
  }
}

/** Imported on demand: a hook does not need it while a server runs. */
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
