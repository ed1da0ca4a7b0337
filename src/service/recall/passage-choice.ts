import type { Entry } from '../../memory/entry.ts';
import type { Passage } from '../../memory/words/passages.ts';
import type { QueryWords } from '../../memory/words/query-words.ts';
import { bestPassage, split, type PassageShape } from './best-passage.ts';
import type { VectorLeg } from './vector-leg.ts';

interface Asked {
  readonly query: string;
  readonly words: QueryWords;
  readonly signal: AbortSignal | undefined;
}

/** Chooses the best passage of each long result. */
export class PassageChoice {
  readonly #vectorLeg: Pick<VectorLeg, 'passageCosines'>;
  readonly #shape: PassageShape;

  constructor({ vectorLeg, shape }: { vectorLeg: Pick<VectorLeg, 'passageCosines'>; shape: PassageShape }) {
    this.#vectorLeg = vectorLeg;
    this.#shape = shape;
  }

  /**
   * For each id of an entry longer than one passage: the passage with the most query words, or if an entry contains none, the one with the
   * nearest stored vector. The vector is not used if the model fails or if the entry was embedded in passages of another length.
   */
  async of(results: readonly { entry: Entry; matched: boolean }[], asked: Asked): Promise<ReadonlyMap<string, Passage>> {
    const chosen = new Map<string, Passage>();
    const unmatched = new Map<string, Entry>();
    for (const { entry, matched } of results) {
      if (entry.content.length <= this.#shape.chunkSize) continue;
      const passage = matched ? bestPassage(entry.content, asked.words, this.#shape) : undefined;
      if (passage !== undefined) chosen.set(entry.id, passage);
      else unmatched.set(entry.id, entry);
    }
    if (unmatched.size === 0) return chosen;
    for (const [id, cosines] of await this.#vectorLeg.passageCosines(unmatched.keys(), asked)) {
      const passages = split(unmatched.get(id)!.content, this.#shape);
      const nearest = cosines.indexOf(Math.max(...cosines));
      if (passages.length === cosines.length) chosen.set(id, passages[nearest]!);
    }
    return chosen;
  }
}
