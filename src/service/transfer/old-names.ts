import { randomUUID } from 'node:crypto';
import type { Clock } from '../../memory/clock.ts';
import { LoreError } from '../../memory/errors.ts';
import type { Log } from '../../memory/log.ts';
import { storedName, withStoredNames } from '../../memory/names.ts';
import type { CatalogEntry } from '../../store/catalog/catalog-entry.ts';
import type { Store } from '../../store/store.ts';
import { EventLoopYielder } from '../event-loop-yielder.ts';
import type { WriteLimiter } from '../write-limiter.ts';
import { Moving } from './moving.ts';

/** Entries written together: one commit. */
const BATCH = 200;

interface Parts {
  readonly store: Store;
  readonly clock: Clock;
  readonly limiter: WriteLimiter;
  readonly log: Log;
}

/**
 * Converts names that older versions wrote, in NFD or with hidden characters, to the stored form. Entries of a namespace with two spellings
 * are merged: of two with the same text, the one with the correct name stays, and the other is archived. Never rejects: if nothing can be
 * written, the names stay until the store is opened again.
 */
export async function renameOldNames(parts: Parts): Promise<void> {
  const { store, log } = parts;
  const outdated = store.catalog.entries().filter(hasOldName());
  if (outdated.length === 0) return;
  try {
    await moveNamespaces(parts, new Set(outdated.map(({ namespace }) => namespace)));
    await rewrite(parts, outdated);
    log.info({ entries: outdated.length }, 'names of an older version were brought into NFC, and hidden characters in them replaced');
  } catch (error) {
    log.warn({ error: String(error) }, 'names of an older version could not be rewritten; Lore tries again when the store is opened');
  }
}

/** Equal names and sets of tags are the same objects, so each is looked at once. */
function hasOldName(): (known: CatalogEntry) => boolean {
  const looked = new Map<string | readonly string[], boolean>();
  const mayBeOld = (names: string | readonly string[]): boolean => {
    const before = looked.get(names);
    if (before !== undefined) return before;
    const is = [names].flat().some((name) => storedName(name) !== name);
    looked.set(names, is);
    return is;
  };
  return (known) => (mayBeOld(known.namespace) || mayBeOld(known.container) || mayBeOld(known.tags)) && withStoredNames(known) !== known;
}

async function moveNamespaces(parts: Parts, namespaces: ReadonlySet<string>): Promise<void> {
  const moving = new Moving({ ...parts, yielder: new EventLoopYielder() });
  for (const from of namespaces) {
    const to = storedName(from);
    if (to === from) continue;
    const run = randomUUID();
    await moving.moveAll({ applies: ({ namespace }) => namespace === from, to, by: 'api', run });
    await moving.moveArchived(new Set([from]), { to, run });
  }
}

/** Containers and tags of the remaining entries. */
async function rewrite({ store, clock, limiter }: Parts, outdated: readonly CatalogEntry[]): Promise<void> {
  const ids = outdated.flatMap(({ id }) => {
    const known = store.catalog.get(id);
    return known !== undefined && withStoredNames(known) !== known ? [id] : [];
  });
  for (let start = 0; start < ids.length; start += BATCH) {
    const batch = ids.slice(start, start + BATCH);
    await limiter.many({ changes: batch.length, chars: 0 }, () => Promise.all(batch.map((id) => rewriteOne(store, clock, id))));
  }
}

async function rewriteOne(store: Store, clock: Clock, id: string): Promise<void> {
  try {
    await store.entries.update(id, (row) => ({ ...row, entry: { ...withStoredNames(row.entry), updatedAt: clock.now() } }));
  } catch (error) {
    if (!(error instanceof LoreError && ['not_found', 'invalid_input'].includes(error.code))) throw error;
    await archiveTwin(store, clock, id);
  }
}

/** The same text exists already, under the same names in stored form. */
async function archiveTwin(store: Store, clock: Clock, id: string): Promise<void> {
  const known = store.catalog.get(id);
  const survivor = known && store.catalog.same(withStoredNames(known));
  if (survivor === undefined || survivor === id) return;
  await store.entries.changes.archive(id, { at: clock.now(), reason: 'near duplicate', run: randomUUID(), survivor, similarity: 1 });
}
