import { toolKind } from '../../memory/capture/capture-commands.ts';
import type { Clock } from '../../memory/clock.ts';
import { editedValues, type EditedValue } from '../../memory/capture/edited-values.ts';
import { GLOBAL_NAMESPACE, type Entry } from '../../memory/entry.ts';
import type { CaptureRequest } from '../../memory/operations/capture-operations.ts';
import { tellingTokens } from '../../memory/relation-cues/relation-cues-evidence.ts';
import { tokenize } from '../../memory/words/tokens.ts';
import type { Store } from '../../store/store.ts';
import type { WriteRoom } from '../write-room.ts';
import { supersede } from './superseding.ts';

/** Entries with the replaced value that are compared. */
const COMPARED = 10;
const NUMBER = /^\d+(?:[.,:]\d+)*$/;

interface Parts {
  readonly store: Store;
  readonly room: WriteRoom;
  readonly clock: Clock;
}

/** A statement captured from the current turn. */
export interface SaidFact {
  readonly id: string;
  readonly text: string;
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

  /** Looks at an edit that worked; other events change nothing. Takes one search for each replaced value that was said. */
  async look(
    { event, tool = '', input = '', output = '', failed }: CaptureRequest,
    said: readonly SaidFact[],
    namespace: string,
  ): Promise<void> {
    if (event !== 'tool' || said.length === 0 || failed === true || toolKind(tool, input) !== 'edit') return;
    const patch = input.includes('\n') ? input : output;
    for (const value of editedValues(patch)) {
      const newer = said.find(({ text }) => containsAny(text, value.after));
      const older = newer === undefined ? undefined : await this.#olderThan(newer, value, namespace);
      if (newer !== undefined && older !== undefined) await supersede(this.#parts, newer.id, older.id);
    }
  }

  /** The entry that has the replaced value: one on the same subject, else the only one with this number. */
  async #olderThan(newer: SaidFact, { before, after }: EditedValue, namespace: string): Promise<Entry | undefined> {
    const { store } = this.#parts;
    const filter = { namespaces: [...new Set([namespace, GLOBAL_NAMESPACE])], current: true, kind: 'memory' } as const;
    const hits = await store.searchKeywords({ tokens: [...before], filter, limit: COMPARED });
    const entries = (await store.entries.getMany(hits.map(({ id }) => id))).filter(
      ({ id, content, superseded }) =>
        id !== newer.id && superseded !== true && containsAny(content, before) && !containsAny(content, after.filter(isNumber)),
    );
    const subject = new Set(tellingTokens(newer.text).filter((token) => !isNumber(token)));
    const shared = (entry: Entry): number => tellingTokens(entry.content).filter((token) => subject.has(token)).length;
    const [best] = entries.toSorted((one, other) => shared(other) - shared(one) || other.createdAt - one.createdAt);
    if (best === undefined) return undefined;
    return shared(best) > 0 || (entries.length === 1 && before.some(isNumber)) ? best : undefined;
  }
}

const isNumber = (token: string): boolean => NUMBER.test(token);

function containsAny(text: string, words: readonly string[]): boolean {
  const tokens = new Set(tokenize(text));
  return words.some((word) => tokens.has(word));
}
