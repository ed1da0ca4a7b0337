import { tokenize } from '../../memory/words/tokens.ts';
import type { CatalogEntry } from '../../store/catalog/catalog-entry.ts';
import { bestFirst, rankWithoutSameness, type Ranked } from './fusion.ts';

/** Only this many of the first entries are considered. */
const COMPARED = 50;
/** Bonus of a turn whose speaker the query names, as a share of the best rank by words. */
const SPEAKER = 0.25;
/** Share of the rank of the previous or next turn that is added to a turn: an answer is often next to the question. */
const BESIDE = 0.2;
/** Largest time between turns of one conversation. */
const PAUSE_MS = 600_000;
/** `Name: what was said`; a name has up to three words. */
const SPOKEN = /^(\p{L}[^\s:]{0,31}(?: [^\s:]{1,32}){0,2}): \S/u;

interface Around {
  readonly query: string;
  /** Id -> content of the first entries; others do not count as turns. */
  readonly contents: ReadonlyMap<string, string>;
  /** The entries made right before and after one in its namespace. */
  readonly neighbours: (id: string) => readonly [CatalogEntry | undefined, CatalogEntry | undefined];
  readonly createdAt: (id: string) => number | undefined;
}

/** Ids whose content may be a turn of a conversation. */
export const mayBeTurns = (ranked: readonly Ranked[]): string[] => ranked.slice(0, COMPARED).map(({ id }) => id);

/**
 * Adjusts the rank of conversation turns (`Name: …`): a turn by a speaker named in the query gains the part `speaker`, and a neighbour of a
 * matching turn gains a share of its rank, the part `beside`. Other entries keep their rank.
 */
export function orderTurns(ranked: readonly Ranked[], { query, contents, neighbours, createdAt }: Around): Ranked[] {
  const speakers = new Map(
    [...contents].flatMap(([id, content]) => {
      const name = SPOKEN.exec(content.slice(0, 200))?.[1];
      return name === undefined ? [] : [[id, name] as const];
    }),
  );
  if (speakers.size === 0) return [...ranked];
  const asked = new Set(tokenize(query));
  const named = new Map([...new Set(speakers.values())].map((name) => [name, tokenize(name).every((token) => asked.has(token))]));
  const ranks = new Map(ranked.slice(0, COMPARED).map((hit) => [hit.id, rankWithoutSameness(hit)]));
  const isNear = (id: string, other: CatalogEntry): boolean => Math.abs((createdAt(id) ?? 0) - other.createdAt) <= PAUSE_MS;
  const raised = ranked.map((hit): Ranked => {
    const name = speakers.get(hit.id);
    if (name === undefined) return hit;
    const speaker = named.get(name) === true ? SPEAKER : 0;
    const turns = neighbours(hit.id).filter((other) => other !== undefined && speakers.has(other.id) && isNear(hit.id, other));
    const nearby = BESIDE * Math.max(0, ...turns.map((other) => ranks.get(other!.id) ?? 0));
    if (speaker + nearby === 0) return hit;
    const parts = { ...hit.parts, ...(speaker > 0 && { speaker }), ...(nearby > 0 && { beside: nearby }) };
    return { ...hit, parts, rankValue: hit.rankValue + speaker + nearby };
  });
  return raised.toSorted(bestFirst);
}
