import { setTimeout as sleep } from 'node:timers/promises';
import { compare, type SyncPlan } from '../../src/cli/sync/comparison.ts';
import { applyPlan, type SyncFigures } from '../../src/cli/sync/exchange.ts';
import type { SyncOperations } from '../../src/memory/operations/sync-operations.ts';
import { openTestApp, type TestApp } from './app.ts';

/** The store of one of two people, without background work, so that nothing changes automatically. */
export async function openSide(flags: Record<string, unknown> = {}): Promise<TestApp> {
  return await openTestApp({ 'storage.durability': 'process', 'compaction.enabled': false, 'memory.deduplicationThreshold': 1, ...flags });
}

/** Pushes everything of a namespace that is newer in `from` to `to`. */
export async function send(from: SyncOperations, to: SyncOperations, namespace = 'test'): Promise<SyncFigures> {
  return await applyPlan({ from, to }, await compare({ from, to }, namespace));
}

/** The plan, without the entries' times. */
export async function planOf(from: SyncOperations, to: SyncOperations, namespace = 'test'): Promise<string[]> {
  return stepsOf(await compare({ from, to }, namespace));
}

export function stepsOf({ steps, relations, unrelated }: SyncPlan): string[] {
  return [
    ...steps.map(({ id, action }) => `${action} ${id}`),
    ...relations.map(({ type }) => `relation ${type}`),
    ...unrelated.map(({ type }) => `no relation ${type}`),
  ];
}

/** Both directions, as `lore push` followed by `lore pull`. */
export async function exchange(a: TestApp, b: TestApp, namespace = 'test'): Promise<void> {
  await send(a.memories.sync, b.memories.sync, namespace);
  await send(b.memories.sync, a.memories.sync, namespace);
}

/** Resolves when the clock has advanced, so that the next change is later. */
export async function later(): Promise<void> {
  for (const now = Date.now(); Date.now() <= now;) await sleep(1);
}

/** Archives entries later than all before, as `lore forget` with a filter does. */
export async function forgetIds({ memories }: Pick<TestApp, 'memories'>, ids: string[]): Promise<void> {
  await later();
  const { token } = await memories.lifecycle.forgetMany({ ids });
  if (token !== undefined) await memories.lifecycle.forgetMany({ ids, confirm: token });
}
