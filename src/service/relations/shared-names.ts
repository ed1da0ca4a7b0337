import type { EntityKind } from '../../memory/entities/entity-kinds.ts';
import { kindOf } from '../../memory/entities/entity-names.ts';
import type { Store } from '../../store/store.ts';

/** Weight of a name, by its kind, if only two entries have it. */
const WEIGHTS: Readonly<Record<EntityKind, number>> = { path: 0.9, url: 0.8, symbol: 0.7, error: 0.6, package: 0.4, person: 0.3 };
/** Entries with a lower strength are not related. */
const LEAST_STRENGTH = 0.4;
/** A name that more entries have is ignored: not even a path would reach the least strength. */
const MOST_OTHERS = 5;
/** Number of the most significant names of an entry that are compared. */
const MAX_ASKED = 8;
/** Files that every project has; with a folder before the name they count as a file. */
const EVERYWHERE =
  /^(?:(?:package(?:-lock)?|tsconfig(?:\.\w+)?|composer|deno|settings|config|launch)\.jsonc?|(?:readme|changelog|contributing|license|todo|notes|index|main|mod|lib|app|test|setup|utils?|types?|styles?|__init__)(?:\.\w+)?|(?:docker-compose|compose|config|pnpm-lock)\.ya?ml|(?:yarn|cargo|poetry|uv)\.lock|(?:cargo|pyproject)\.toml|go\.(?:mod|sum|work)|pom\.xml|requirements\.txt|build\.gradle(?:\.kts)?|(?:docker|make|gem|rake|proc|jenkins)file|\.env(?:\.\w+)*|\.\w+(?:ignore|rc))$/i;

/** An entry and its names. */
interface Naming {
  readonly id: string;
  readonly namespace: string;
  readonly entities?: readonly string[] | undefined;
}

/** Entities shared by entries of the same namespaces. */
export class SharedNames {
  /** Namespace -> name -> ids of the entries with it. */
  readonly #holders: ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;

  private constructor(holders: ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>) {
    this.#holders = holders;
  }

  /** One query for all entries of a namespace, or a few where names are in many entries. */
  static async of(store: Pick<Store, 'named'>, entries: readonly Naming[]): Promise<SharedNames> {
    const asked = new Map<string, Set<string>>();
    for (const entry of entries) {
      const names = asked.get(entry.namespace) ?? new Set();
      asked.set(entry.namespace, names);
      for (const { name } of namesOf(entry)) names.add(name);
    }
    const holders = new Map<string, ReadonlyMap<string, readonly string[]>>();
    for (const [namespace, names] of asked) {
      if (names.size > 0) holders.set(namespace, await store.named.holders([...names], namespace, MOST_OTHERS + 2));
    }
    return new SharedNames(holders);
  }

  /**
   * Entries of the namespace that share rare names with this one, with the strength of that, 0..1: each name counts by its kind and less the
   * more entries have it,
   *
   *     strength = 1 − Π (1 − weight / √others)       over the names that both have; `others` have it besides this entry
   */
  sharersOf(entry: Naming): Map<string, number> {
    const missing = new Map<string, number>();
    for (const { name, weight } of namesOf(entry)) {
      const others = (this.#holders.get(entry.namespace)?.get(name) ?? []).filter((other) => other !== entry.id);
      if (others.length > MOST_OTHERS) continue;
      for (const other of others) missing.set(other, (missing.get(other) ?? 1) * (1 - weight / Math.sqrt(others.length)));
    }
    return new Map([...missing].flatMap(([other, left]) => (1 - left < LEAST_STRENGTH ? [] : [[other, 1 - left] as const])));
  }
}

function namesOf({ entities = [] }: Naming): { name: string; weight: number }[] {
  return entities
    .filter((name) => !EVERYWHERE.test(name))
    .map((name) => ({ name, weight: WEIGHTS[kindOf(name)] }))
    .toSorted((a, b) => b.weight - a.weight)
    .slice(0, MAX_ASKED);
}
