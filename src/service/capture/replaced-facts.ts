import { toolKind } from '../../memory/capture/capture-commands.ts';
import type { Clock } from '../../memory/clock.ts';
import { editedValues, namesValue, type EditedValue } from '../../memory/capture/edited-values.ts';
import { GLOBAL_NAMESPACE, type Entry } from '../../memory/entry.ts';
import type { CaptureRequest } from '../../memory/operations/capture-operations.ts';
import { tellingTokens } from '../../memory/relation-cues/relation-cues-evidence.ts';
import type { Store } from '../../store/store.ts';
import type { WriteRoom } from '../write-room.ts';
import { supersede } from './superseding.ts';

/** Entries with the replaced value that are compared. */
const COMPARED = 20;
const NUMBER = /^\d/;

interface Parts {
  readonly store: Store;
  readonly room: WriteRoom;
  readonly clock: Clock;
}

/** A statement captured from the current turn. */
export interface SaidFact {
  readonly id: string;
  readonly text: string;
  /** Whether it replies to an answer that offered something, or has words of that answer. */
  readonly isReply: boolean;
  readonly offer?: string | undefined;
}

/**
 * Relates what a person just said to the older fact that it replaces, if an edit of this turn replaces the value of the older one by the
 * value of the newer one: "make it 5 mites" after "more than 10 mites", with `ALARM = 10` edited to `ALARM = 5`.
 */
export class ReplacedFacts {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Relates what was said in a turn by the edits of this turn. Takes one search for each replaced value that was said. */
  async look(edits: readonly EditedValue[], said: readonly SaidFact[], namespace: string): Promise<void> {
    for (const value of said.length === 0 ? [] : edits) {
      const newer = said.find(({ text }) => namesValue(text, value.after));
      const older = newer === undefined ? undefined : await this.#olderThan(newer, { value, said, namespace });
      if (newer !== undefined && older !== undefined) await supersede(this.#parts, newer.id, older.id);
    }
  }

  /** The entry that has the replaced value: one on the same subject, else the only one with this number. */
  async #olderThan(
    newer: SaidFact,
    { value: { before, after }, said, namespace }: { value: EditedValue; said: readonly SaidFact[]; namespace: string },
  ): Promise<Entry | undefined> {
    const { store } = this.#parts;
    const filter = { namespaces: [...new Set([namespace, GLOBAL_NAMESPACE])], current: true, kind: 'memory' } as const;
    const subject = new Set(tellingTokens(newer.text).filter((token) => !isNumber(token)));
    // An older entry may have the value in another notation.
    const hits = await store.searchKeywords({ tokens: [...new Set([...before, ...subject])], filter, limit: COMPARED });
    const own = new Set(said.map(({ id }) => id));
    const entries = (await store.entries.getMany(hits.map(({ id }) => id))).filter(
      ({ id, content, superseded }) =>
        !own.has(id) && superseded !== true && namesValue(content, before) && !namesValue(content, after.filter(isNumber)),
    );
    const shared = (entry: Entry): number => tellingTokens(entry.content).filter((token) => subject.has(token)).length;
    const [best] = entries.toSorted((one, other) => shared(other) - shared(one) || other.createdAt - one.createdAt);
    if (best === undefined) return undefined;
    return shared(best) > 0 || (entries.length === 1 && before.some(isNumber)) ? best : undefined;
  }
}

/** The values that an edit replaced; none for other events, and for one that failed. */
export function editsIn({ event, tool = '', input = '', output = '', failed }: CaptureRequest): EditedValue[] {
  if (event !== 'tool' || failed === true || toolKind(tool, input) !== 'edit') return [];
  return editedValues(input.includes('\n') ? input : output);
}

const isNumber = (token: string): boolean => NUMBER.test(token);
