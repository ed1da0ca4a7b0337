import { updatedImportance } from '../../memory/importance.ts';
import { givenNames } from '../../memory/entry-fields.ts';
import type { Entry } from '../../memory/entry.ts';
import type { CallOptions, PatchRequest } from '../../memory/operations/operations.ts';
import type { Clock } from '../../memory/clock.ts';
import type { EntryRow } from '../../store/format/rows.ts';
import type { Store } from '../../store/store.ts';
import { draftEntry, type Drafting } from './drafting.ts';
import type { Secrets } from '../secrets.ts';

interface Parts {
  readonly store: Store;
  readonly secrets: Secrets;
  readonly drafting: Drafting;
  readonly clock: Clock;
  /** Called for an entry with a changed text or namespace. */
  readonly onChanged: (id: string) => void;
}

/** Manual changes of entries. */
export class Editing {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Applies a patch and returns the entry. Concurrent changes of other fields are kept. */
  async update(id: string, given: PatchRequest, { source = 'api', signal, idempotent }: CallOptions): Promise<Entry> {
    const { store, secrets, drafting, onChanged } = this.#parts;
    const current = await store.entries.get(id);
    const patch = secrets.redacts(source, current.source) ? secrets.redacted(given).texts : given;
    const draft = this.#revise(current, patch);
    const edited = draft.content !== current.content;
    const isEmbedded = edited || patch.tags !== undefined;
    const [row] = isEmbedded ? await drafting.rows([draft], signal) : [];
    const change = (now: EntryRow): EntryRow => {
      const entry = this.#revise(now.entry, patch);
      return { ...now, ...row, entry };
    };
    const entry = await store.entries.update(id, change, source, idempotent);
    if (edited || entry.namespace !== current.namespace) onChanged(id);
    return entry;
  }

  #revise(entry: Entry, patch: PatchRequest): Entry {
    const content = patch.content ?? entry.content;
    const { summary: _, entities, ...others } = entry;
    const facts = withGiven(others, patch);
    const tags = patch.tags === undefined ? entry.tags : [...new Set(patch.tags)];
    const priority = patch.priority ?? entry.priority;
    return draftEntry({
      ...facts,
      content,
      // Names changed by hand stay until the content changes.
      ...(content === entry.content && entities !== undefined ? { entities } : {}),
      namespace: patch.namespace ?? entry.namespace,
      container: patch.container ?? (entry.container === entry.namespace ? (patch.namespace ?? entry.container) : entry.container),
      tags,
      priority,
      importance: patch.importance ?? updatedImportance(entry, { priority, tags }),
      updatedAt: this.#parts.clock.now(),
    });
  }
}

/** Applies the optional fields of a patch; null removes one. */
function withGiven<T extends object>(facts: T, patch: object): T {
  const next = { ...facts } as Record<string, unknown>;
  for (const name of givenNames) {
    const value = (patch as Readonly<Record<string, unknown>>)[name];
    if (value === null) delete next[name];
    else if (value !== undefined) next[name] = value;
  }
  return next as T;
}
