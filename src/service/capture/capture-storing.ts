import { v7 as newId } from 'uuid';
import type { Clock } from '../../memory/clock.ts';
import { GLOBAL_NAMESPACE } from '../../memory/entry.ts';
import { isPersonal } from '../../memory/capture/capture-person.ts';
import type { CaptureRequest } from '../../memory/operations/capture-operations.ts';
import { differenceOf } from '../../memory/same-fact/same-fact.ts';
import { bareWords, isKnownText, shinglesOf } from '../../memory/words/shingles.ts';
import { tokenize } from '../../memory/words/tokens.ts';
import type { EntryRow } from '../../store/format/rows.ts';
import type { Store } from '../../store/store.ts';
import type { Candidate } from './capture-gate.ts';
import { draftEntry, type Drafting } from '../changes/drafting.ts';
import { nearDuplicates } from '../changes/near-duplicates.ts';
import { isUnwanted } from './unwanted.ts';
import type { Secrets } from '../secrets.ts';
import { withoutUndefined } from '../../memory/without-undefined.ts';

/** Entries with the same words that are read to find one that already contains the text. */
const COMPARED = 5;
/** Why an entry is global. */
const PERSONAL_TAG = 'personal';
/** Number of words used to find such entries. */
const COMPARED_WORDS = 60;

interface Parts {
  readonly store: Store;
  readonly drafting: Drafting;
  readonly clock: Clock;
  readonly secrets: Secrets;
  /** `capture.sourceTag`. */
  readonly sourceTag: string;
  /** `capture.dedupSimilarityThreshold`. */
  readonly similarFrom: number;
  /** Called for every new entry. */
  readonly onStored: (id: string) => void;
}

/** A text to store, and the part of it that is the assistant's question. */
interface CandidateText extends Candidate {
  readonly question?: string;
}

/** Stores captured texts, unless the store already has them. */
export class CaptureStoring {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Stores a text and returns its id. Undefined, changing nothing, if the store already has it or it must never be captured again. Ignores the entries of `but`,
   * which contain only parts of it.
   */
  async store(
    candidate: CandidateText,
    event: CaptureRequest,
    project: string,
    but: ReadonlySet<string> = new Set(),
  ): Promise<string | undefined> {
    const { store, drafting, onStored } = this.#parts;
    const entry = this.#draft(candidate, event, project);
    // Searched for first: an insert would add its tags to the existing entry.
    if (store.catalog.same(entry) !== undefined || (await this.#isContained(entry, but))) return undefined;
    if (await isUnwanted(store, entry)) return undefined;
    const [row] = (await drafting.rows([entry])) as [EntryRow];
    if (await this.#isNear(row, but)) return undefined;
    const { status } = await store.entries.insert(row);
    if (status === 'stored') onStored(entry.id);
    return status === 'stored' ? entry.id : undefined;
  }

  /** Personal preferences apply in every project; the project is recorded. */
  #draft({ kind, text, question = '' }: CandidateText, event: CaptureRequest, project: string): EntryRow['entry'] {
    const { clock, secrets, sourceTag } = this.#parts;
    const isOfPerson = event.event === 'prompt' && event.global !== false && project !== GLOBAL_NAMESPACE && isPersonal(text);
    const namespace = isOfPerson ? GLOBAL_NAMESPACE : project;
    const now = clock.now();
    const { client, session, tool, cwd } = event;
    const createdAt = Math.min(now, event.at ?? now);
    const sourceRef = {
      client,
      session,
      event: event.event,
      ...withoutUndefined({ tool, cwd }),
      ...(question !== '' && { question }),
      ...(isOfPerson && { project }),
    };
    return draftEntry({
      id: newId(),
      content: text,
      namespace,
      container: namespace,
      tags: [...new Set([sourceTag, ...(isOfPerson ? ['preference', PERSONAL_TAG] : [kind])])],
      priority: 'normal',
      source: 'auto-capture',
      sourceRef: secrets.redacts('auto-capture') ? secrets.redacted({ sourceRef }).texts.sourceRef : sourceRef,
      createdAt,
      updatedAt: createdAt,
    });
  }

  /** Whether entries of the namespace, or of all, contain these words in sequence, as a part or with another layout. */
  async #isContained({ content, namespace }: EntryRow['entry'], but: ReadonlySet<string>): Promise<boolean> {
    const { store } = this.#parts;
    const words = bareWords(content);
    const tokens = [...new Set(tokenize(content))].slice(0, COMPARED_WORDS);
    const filter = { namespaces: [...new Set([namespace, GLOBAL_NAMESPACE])] };
    const hits = tokens.length === 0 ? [] : await store.searchKeywords({ tokens, filter, limit: COMPARED });
    const contents = await store.entries.contents(hits.flatMap(({ id }) => (but.has(id) ? [] : [id])));
    const known = new Set([...contents.values()].flatMap((text) => shinglesOf(bareWords(text))));
    return words.length > 0 && isKnownText(content, known);
  }

  /** Similar by at least `capture.dedupSimilarityThreshold`, and different only in form. */
  async #isNear(row: EntryRow, but: ReadonlySet<string>): Promise<boolean> {
    const { store, similarFrom } = this.#parts;
    const near = await nearDuplicates(store, row, { id: row.entry.id, threshold: similarFrom });
    if (near.length === 0) return false;
    const contents = await store.entries.contents(near.flatMap(({ id }) => (but.has(id) ? [] : [id])));
    return [...contents.values()].some((content) => differenceOf(content, row.entry.content) === undefined);
  }
}
