import type { Entry, ScoredEntry } from '../../memory/entry.ts';
import { contentTokens } from '../../memory/relation-cues/relation-cues-evidence.ts';
import type { Store } from '../../store/store.ts';

/** So many replacements of one fact are followed. */
const MOST_STEPS = 8;

/** Ids of the entries of its namespace that an entry supersedes, also through others, newest first. */
export function predecessorsOf({ auxiliary: { graph }, catalog }: Pick<Store, 'auxiliary' | 'catalog'>, id: string): string[] {
  const namespace = catalog.get(id)?.namespace;
  const found = new Set<string>();
  let ids = [id];
  for (let step = 0; step < MOST_STEPS && ids.length > 0; step++) {
    ids = ids.flatMap((each) => graph.from(each).flatMap(({ type, targetId }) => (type === 'supersedes' ? [targetId] : [])));
    // A key of one namespace must not read another.
    ids = ids.filter((each) => each !== id && !found.has(each) && catalog.get(each)?.namespace === namespace);
    for (const each of ids) found.add(each);
  }
  return [...found];
}

/**
 * The results with the current entry instead of each superseded one, so that a fact is also found by the words of the one that it
 * replaced. Superseded entries without a current one in these namespaces are left out. Best first.
 */
export async function currentOf(
  results: readonly ScoredEntry[],
  store: Store,
  namespaces: readonly string[],
): Promise<readonly ScoredEntry[]> {
  if (!results.some(({ entry }) => entry.superseded === true)) return results;
  const best = new Map<string, ScoredEntry | undefined>();
  const ids = results.map(({ entry }) => (entry.superseded === true ? successorOf(store, entry.id, namespaces) : entry.id));
  for (const [at, id] of ids.entries()) if (id !== undefined && !best.has(id)) best.set(id, results[at]);
  const own = new Map(results.map(({ entry }) => [entry.id, entry]));
  const missing = await store.entries.getMany([...best.keys()].filter((id) => !own.has(id)));
  for (const entry of missing) own.set(entry.id, entry);
  return [...best].flatMap(([id, result]) => {
    const entry = own.get(id);
    if (entry === undefined || result === undefined) return [];
    // The passage is one of the text that was found.
    const { passage: _, ...rest } = result;
    return [entry === result.entry ? result : { ...rest, entry }];
  });
}

function successorOf(store: Store, superseded: string, namespaces: readonly string[]): string | undefined {
  let id = superseded;
  for (let step = 0; step < MOST_STEPS; step++) {
    const next = store.auxiliary.graph
      .to(id)
      .find(({ type, sourceId }) => type === 'supersedes' && store.catalog.get(sourceId) !== undefined);
    if (next === undefined) return undefined;
    id = next.sourceId;
    const known = store.catalog.get(id);
    if (known?.superseded === false) return namespaces.includes(known.namespace) ? id : undefined;
  }
  return undefined;
}

/** Each with the text that it replaced, if only that names the subject: `we settle on 8` after `a hive is red above 10 mites`. */
export async function withReplaced<F extends { readonly entry: Entry }>(
  store: Store,
  found: readonly F[],
): Promise<(F & { readonly replaced?: string })[]> {
  const latest = new Map(
    found.flatMap(({ entry: { id } }) =>
      predecessorsOf(store, id)
        .slice(0, 1)
        .map((older) => [id, older] as const),
    ),
  );
  if (latest.size === 0) return [...found];
  const contents = await store.entries.contents([...latest.values()]);
  return found.map((each) => {
    const replaced = contents.get(latest.get(each.entry.id) ?? '');
    return replaced === undefined || sharesSubject(each.entry.content, replaced) ? each : { ...each, replaced };
  });
}

function sharesSubject(one: string, other: string): boolean {
  const known = new Set(contentTokens(one).filter(isName));
  return contentTokens(other).some((token) => isName(token) && known.has(token));
}

/** Numbers are values. */
const isName = (token: string): boolean => !/^\d/.test(token);
