import type { Clock } from '../../memory/clock.ts';
import { givenNames } from '../../memory/entry-fields.ts';
import type { Entry } from '../../memory/entry.ts';
import { LoreError } from '../../memory/errors.ts';
import type { EntryVersion } from '../../memory/lifecycle.ts';
import type { EntryHistory } from '../../memory/operations/lifecycle-operations.ts';
import type { CallOptions } from '../../memory/operations/operations.ts';
import type { Store } from '../../store/store.ts';
import { embeddedKey } from '../../store/format/content-hash.ts';
import { draftEntry, type Drafting } from './drafting.ts';

interface Parts {
  readonly store: Pick<Store, 'entries' | 'auxiliary'>;
  readonly drafting: Drafting;
  readonly clock: Clock;
  /** Called for entries with changed content or namespace. */
  readonly onEdited: (id: string) => void;
}

/** Earlier versions of entries, and undo. */
export class History {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Rejects with `not_found`. */
  async of(id: string): Promise<EntryHistory> {
    const entry = await this.#parts.store.entries.get(id);
    const versions = await this.#versions(id);
    return { entry, versions: versions.map(({ entryId: _known, ...version }) => version) };
  }

  /**
   * Undoes the last change. An undo is a change too: a second undo undoes the first. Rejects with `invalid_input` if there is none, or if
   * the entry is changed at the same time.
   */
  async undo(id: string, { source = 'api', signal, namespace, idempotent }: CallOptions = {}): Promise<Entry> {
    const { store, drafting, onEdited } = this.#parts;
    const entry = await store.entries.get(id);
    const [last] = await this.#versions(id);
    if (last === undefined) throw new LoreError('invalid_input', 'This entry was never changed, so there is nothing to undo.');
    // The entry may have been in another namespace before.
    if (namespace !== undefined && last.state.namespace !== namespace) {
      throw new LoreError('forbidden', 'This key is bound to one namespace.');
    }
    const draft = this.#asItWas(entry, last);
    const edited = draft.content !== entry.content;
    const isEmbedded = embeddedKey(draft) !== embeddedKey(entry);
    const [row] = isEmbedded ? await drafting.rows([draft], signal) : [];
    const back = await store.entries.update(
      id,
      (now) => {
        if (now.entry.updatedAt !== entry.updatedAt) {
          throw new LoreError('invalid_input', 'The entry was changed in the meantime; check its history again.');
        }
        // Fields that are not versioned, such as the successor, keep their current value.
        const { superseded } = now.entry;
        const { superseded: _, ...facts } = draft;
        return {
          ...now,
          ...row,
          entry: { ...facts, ...(superseded === true && { superseded }) },
        };
      },
      source,
      idempotent,
    );
    if (edited || back.namespace !== entry.namespace) onEdited(id);
    return back;
  }

  #asItWas(entry: Entry, { state }: EntryVersion): Entry {
    const { summary: _summary, entities, ...facts } = entry;
    const same = state.content === entry.content && entities !== undefined;
    for (const name of givenNames) delete facts[name];
    return draftEntry({ ...facts, ...state, ...(same && { entities }), updatedAt: this.#parts.clock.now() });
  }

  /** Latest first. */
  async #versions(id: string): Promise<EntryVersion[]> {
    const versions = await this.#parts.store.auxiliary.history.find('entry_id', id);
    return versions.toSorted((a, b) => b.replacedAt - a.replacedAt || b.writtenAt - a.writtenAt);
  }
}
