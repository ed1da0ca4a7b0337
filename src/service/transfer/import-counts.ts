import type { Store } from '../../store/store.ts';
import { ARRIVAL_GRACE_DAYS, type CompactionRules } from '../lifecycle/compaction-plan.ts';
import { DAY_MS } from '../../memory/durations.ts';

interface Parts {
  readonly store: Pick<Store, 'catalog'>;
  readonly rules: Pick<CompactionRules, 'enabled' | 'maxEntries'>;
}

/** Counts what an import stores in each namespace, and reports namespaces above the limit of compaction. */
export class ImportCounts {
  readonly #parts: Parts;
  readonly #stored = new Map<string, number>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  note(namespace: string): void {
    this.#stored.set(namespace, (this.#stored.get(namespace) ?? 0) + 1);
  }

  /** One sentence or more for each namespace that is over the limit. A dry run adds what it would store. */
  warnings({ dryRun, now = Date.now() }: { readonly dryRun: boolean; readonly now?: number }): string[] {
    const { store, rules } = this.#parts;
    if (!rules.enabled) return [];
    return [...this.#stored].flatMap(([namespace, stored]) => {
      const entries = store.catalog.count({ namespaces: [namespace] }) + (dryRun ? stored : 0);
      if (entries <= rules.maxEntries) return [];
      const day = new Date(now + ARRIVAL_GRACE_DAYS * DAY_MS).toISOString().slice(0, 10);
      return [
        `The namespace ${namespace} ${dryRun ? 'would hold' : 'holds'} ${number(entries)} entries, more than compaction.maxEntries ` +
          `(${number(rules.maxEntries)}). From ${day} on, compaction archives the least important beyond that limit. ` +
          'Raise compaction.maxEntries to keep them.',
      ];
    });
  }
}

const number = (value: number): string => value.toLocaleString('en-US');
