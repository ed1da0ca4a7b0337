import { withoutMark } from '../../memory/words/exact-senses.ts';
import { isOfFile, type Entry, type EntryFilter, type EntryKind, type SearchMode } from '../../memory/entry.ts';
import { fieldsWith } from '../../memory/entry-fields.ts';
import type { Explanation, MatchedTerm } from '../../memory/operations/explanation.ts';
import type { Ranked } from './fusion.ts';
import type { TermMatch } from './ranking.ts';

/** One condition of a filter. */
interface Condition {
  /** In plain words. */
  readonly text: string;
  /** This condition alone. */
  readonly filter: EntryFilter;
  /** Why an entry that does not meet it was left out. */
  readonly unmet: (entry: Entry) => string;
}

const names = <Name>(fields: readonly (readonly [Name, unknown])[]): Name[] => fields.map(([name]) => name);
const IS = names(fieldsWith({ filter: 'is' })).filter((name) => name !== 'container');
const RANGES = names(fieldsWith({ filter: 'range' }));
const KINDS = { memory: 'is no passage of a file', file: 'is a passage of a file' } satisfies Record<EntryKind, string>;

/** The conditions of a filter that a request names; together with `CURRENT` they are the filter. */
export function conditionsOf(filter: EntryFilter): Condition[] {
  const { namespaces, container, tags = [], kind, createdAfter, createdBefore } = filter;
  const looked = namespaces?.join(' or ') ?? '';
  return [
    when(namespaces, (names) => ({
      text: `namespace is ${looked}`,
      filter: { namespaces: names },
      unmet: (entry) => `It is in namespace ${entry.namespace}, the search looked in ${looked}.`,
    })),
    when(container, (name) => ({
      text: `container is ${name}`,
      filter: { container: name },
      unmet: (entry) => `It is in container ${entry.container}, the search looked in ${name}.`,
    })),
    ...tags.map((tag) => ({ text: `has the tag ${tag}`, filter: { tags: [tag] }, unmet: () => `It does not have the tag ${tag}.` })),
    ...IS.map((name) =>
      when(filter[name], (wanted) => ({
        text: `${name} is ${wanted}`,
        filter: { [name]: wanted },
        unmet: (entry) => `Its ${name} is ${entry[name] ?? 'not set'}, the search asked for ${wanted}.`,
      })),
    ),
    when(kind, (wanted) => ({
      text: KINDS[wanted],
      filter: { kind: wanted },
      unmet: (entry) =>
        `It is ${isOfFile(entry) ? '' : 'not '}a passage of a file, the search asked for ${wanted === 'file' ? 'passages' : 'memories'}.`,
    })),
    ...RANGES.flatMap((name) => [
      when(filter[name]?.min, (min) => ({
        text: `${name} is at least ${min}`,
        filter: { [name]: { min } },
        unmet: (entry) => `Its ${name} is ${shown(entry[name])}, the search asked for ${min} or more.`,
      })),
      when(filter[name]?.max, (max) => ({
        text: `${name} is at most ${max}`,
        filter: { [name]: { max } },
        unmet: (entry) => `Its ${name} is ${shown(entry[name])}, the search asked for ${max} or less.`,
      })),
    ]),
    when(createdAfter, (time) => ({
      text: `created after ${at(time)}`,
      filter: { createdAfter: time },
      unmet: (entry) => `It was created at ${at(entry.createdAt)}, the search asked for entries after ${at(time)}.`,
    })),
    when(createdBefore, (time) => ({
      text: `created before ${at(time)}`,
      filter: { createdBefore: time },
      unmet: (entry) => `It was created at ${at(entry.createdAt)}, the search asked for entries before ${at(time)}.`,
    })),
  ].flat();
}

/** The filter against superseded entries, mentioned only if it excludes an entry. */
export const CURRENT: Condition = {
  text: 'no newer entry supersedes it',
  filter: { current: true },
  unmet: () => 'A newer entry supersedes it.',
};

/** The explanation of one result. */
export function explanationOf(hit: Ranked, { mode, filter }: { mode: SearchMode; filter: EntryFilter }): Explanation {
  const { features, cosine } = hit;
  const terms = features.matches.flatMap((match) => matchedTerm(match) ?? []);
  return {
    rankValue: round(hit.rankValue),
    parts: Object.fromEntries(Object.entries(hit.parts).map(([name, part]) => [name, round(part)])),
    ...(cosine === undefined ? {} : { vector: { cosine: round(cosine) } }),
    ...(mode === 'vector'
      ? {}
      : {
          keyword: {
            bm25: round(features.bm25),
            coverage: round(features.coverage),
            terms,
            missing: features.matches.filter(({ alternative }) => alternative === undefined).map(({ term }) => term.token),
          },
        }),
    filters: conditionsOf(filter).map(({ text }) => text),
  };
}

function matchedTerm({ term, alternative, count, bm25 }: TermMatch): MatchedTerm | undefined {
  if (alternative === undefined) return undefined;
  return {
    term: term.token,
    matched: alternative.tokens.map(withoutMark).join(' '),
    kind: alternative.kind,
    count,
    idf: round(alternative.idf),
    bm25: round(bm25),
  };
}

function when<T>(value: T | undefined, condition: (value: T) => Condition): Condition[] {
  return value === undefined ? [] : [condition(value)];
}

const at = (time: number): string => new Date(time).toISOString();
const shown = (value: number | undefined): number | string => (value === undefined ? 'not set' : round(value));
const round = (value: number): number => Math.round(value * 1e4) / 1e4;
