/** A store and what it must hold, side by side. */
import type { LivingStore, Reply } from './living-store.ts';
import type { Model, ModelEntry } from './model.ts';
import type { Selected } from './steps.ts';

/** Of lines of imports, each a second later than the one before. */
const FIRST_IMPORTED = Date.UTC(2020, 0, 1);

export class World {
  readonly store: LivingStore;
  readonly model: Model;
  #imported = 0;

  constructor(store: LivingStore, model: Model) {
    this.store = store;
    this.model = model;
  }

  /** A time that no other entry has. */
  nextImported(): number {
    this.#imported += 1;
    return FIRST_IMPORTED + this.#imported * 1000;
  }

  /** The entry at a share of all. */
  entryAt(share: number): ModelEntry | undefined {
    const all = this.model.all();
    return all[Math.floor(share * all.length)];
  }

  /** A selection as a request names it, and as the model sees it. Undefined where there is nothing it could name. */
  chosen(selected: Selected): { readonly request: Record<string, unknown>; readonly isMeant: (entry: ModelEntry) => boolean } | undefined {
    if ('ids' in selected) {
      const ids = selected.ids.flatMap((share) => this.entryAt(share)?.id ?? []);
      return ids.length === 0 ? undefined : { request: { ids }, isMeant: ({ id }) => ids.includes(id) };
    }
    if ('tag' in selected) return { request: { tags: [selected.tag] }, isMeant: ({ tags }) => tags.includes(selected.tag) };
    if ('importance' in selected) {
      const { min, max } = selected.importance;
      return { request: { importance: { min, max } }, isMeant: ({ importance }) => importance >= min && importance <= max };
    }
    const { namespace } = selected;
    if (!('priority' in selected)) return { request: { namespace }, isMeant: (entry) => entry.namespace === namespace };
    return {
      request: { namespace, priority: selected.priority },
      isMeant: (entry) => entry.namespace === namespace && entry.priority === selected.priority,
    };
  }

  /** A request that must be answered so. */
  async ask(method: string, target: string, body?: unknown, status = 200): Promise<Reply> {
    const reply = await this.store.call(method, target, body);
    if (reply.status !== status) {
      throw new Error(`${method} ${target} with ${JSON.stringify(body)} is answered ${reply.status} and not ${status}: ${reply.text}`);
    }
    return reply;
  }

  post(target: string, body: unknown, status?: number): Promise<Reply> {
    return this.ask('POST', target, body, status);
  }
}
