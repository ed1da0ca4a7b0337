import type { Entry } from './entry.ts';

/** Whether an entry was captured and nobody has kept or changed it since: it waits in the inbox, and is no fact that someone stands for. */
export function isPending({ source, createdAt, updatedAt }: Pick<Entry, 'source' | 'createdAt' | 'updatedAt'>): boolean {
  return source === 'auto-capture' && updatedAt === createdAt;
}
