import { corrects, statementsIn } from '../../memory/capture/capture-statements.ts';
import { outcomesIn } from '../../memory/capture/capture-outcomes.ts';
import type { CaptureRequest } from '../../memory/operations/capture-operations.ts';
import { ASK_TO_SAVE } from '../../memory/guidance.ts';
import type { Telemetry } from '../../memory/telemetry.ts';
import { GLOBAL_NAMESPACE } from '../../memory/vocabulary.ts';
import type { Store } from '../../store/store.ts';
import type { CaptureGate } from './capture-gate.ts';
import type { CaptureState } from './capture-state.ts';

const MAX_SESSIONS = 200;
const LONGEST_PROMPT = 8000;
const LASTING: ReadonlySet<string> = new Set(['decision', 'preference', 'fix']);

interface Parts {
  readonly store: Pick<Store, 'catalog'>;
  readonly state: CaptureState;
  readonly gate: CaptureGate;
  readonly telemetry: Pick<Telemetry, 'count'>;
  readonly now: () => number;
}

/** The current turn of a session. */
interface Turn {
  readonly since: number;
  readonly prompt: string;
  /** Whether the agent was asked at the end of this turn. */
  readonly wasAsked: boolean;
}

/** Decides whether to ask an agent to save: once per session, if a turn seems to contain something durable and nothing was saved. */
export class Assist {
  readonly #parts: Parts;
  readonly #turns = new Map<string, Turn>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Records an event; true if the agent should be asked now. */
  note({ client, session, event, text = '', assist }: CaptureRequest, namespace: string): boolean {
    const { state, telemetry, now } = this.#parts;
    const key = `${client}\n${session}`;
    if (event === 'prompt') this.#begin(key, { since: now(), prompt: text.slice(0, LONGEST_PROMPT), wasAsked: false });
    const turn = this.#turns.get(key);
    // Subagents and compactions also report answers, but end no turn.
    if (event !== 'response' || assist === undefined || turn === undefined) return false;
    this.#turns.delete(key);
    if (turn.wasAsked) {
      const saved = this.#savedSince(turn.since, namespace);
      state.countAssist(namespace, { saved, tokens: tokensOf(text) });
      for (let nth = 0; nth < saved; nth++) telemetry.count('capture assist', 'saved');
      return false;
    }
    if (!assist || state.wasAsked(key) || this.#savedSince(turn.since, namespace) > 0 || !this.#isDurable(turn.prompt, text)) return false;
    state.countAssist(namespace, { session: key, asked: 1, tokens: tokensOf(ASK_TO_SAVE) });
    telemetry.count('capture assist', 'asked');
    this.#begin(key, { since: now(), prompt: '', wasAsked: true });
    return true;
  }

  #begin(key: string, turn: Turn): void {
    this.#turns.delete(key);
    this.#turns.set(key, turn);
    const [oldest] = this.#turns.keys();
    if (this.#turns.size > MAX_SESSIONS && oldest !== undefined) this.#turns.delete(oldest);
  }

  /** Number of entries of the namespace, or of all, that were written or changed since then, without captured ones. */
  #savedSince(since: number, namespace: string): number {
    const isHere = (name: string): boolean => name === namespace || name === GLOBAL_NAMESPACE;
    return this.#parts.store.catalog
      .entries()
      .filter((known) => isHere(known.namespace) && known.source !== 'auto-capture' && known.updatedAt >= since).length;
  }

  #isDurable(prompt: string, answer: string): boolean {
    const [asked, said] = [this.#parts.gate.wordsIn(prompt), this.#parts.gate.wordsIn(answer)];
    const isLasting = ({ kind, text }: { kind: string; text: string }): boolean => LASTING.has(kind) || corrects(text);
    return statementsIn(asked).some(isLasting) || outcomesIn(said).some(({ kind }) => LASTING.has(kind));
  }
}

/** Counts four characters as one token, as everywhere in Lore. */
const tokensOf = (text: string): number => Math.ceil(text.length / 4);
