import type { Entry } from './entry.ts';

/** Whether an entry is in the inbox: captured, and neither confirmed nor changed since. */
export function isPending({ source, createdAt, updatedAt }: Pick<Entry, 'source' | 'createdAt' | 'updatedAt'>): boolean {
  return source === 'auto-capture' && updatedAt === createdAt;
}
