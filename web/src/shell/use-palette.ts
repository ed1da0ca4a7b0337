import { useEffect, useMemo } from 'preact/hooks';
import { go, NO_FILTER, START } from '../address.ts';
import { markUsed, search } from '../api/client.ts';
import type { Memory } from '../api/responses.ts';
import { titleOf } from '../parts/plain-text.ts';
import { useSuggested } from '../parts/use-suggested.ts';
import { paletteTexts } from './palette-texts.ts';
import { fuzzyMatch, wordsIn, type Match } from './fuzzy.ts';
import { useLive } from './live.tsx';
import { commandItems, GROUPS, namespaceAndTagItems, recentItems, savedItems, type Group, type Item } from './palette-items.ts';
import { useServer } from './server.tsx';

const PAUSE_MS = 120;
const MEMORIES = 5;
const NONE: readonly Memory[] = [];
/** Shorter queries match almost anything. */
const LEAST_CHARS = 2;
/** Lines per group: with an empty field, with text, and if it is the only group. */
const ROOM = { recent: [5, 3, 8], commands: [30, 6, 30], memories: [0, 6, 6], places: [8, 6, 60] } as const satisfies Record<
  Group,
  readonly number[]
>;

export interface FoundItem extends Item {
  readonly ranges: Match['ranges'];
}

/** The best memories for the typed text, shortly after the last key. Old results stay until then. */
function useMemories(typed: string): readonly Memory[] {
  const wish = { query: typed, mode: 'hybrid', limit: MEMORIES, explain: false, filter: NO_FILTER } as const;
  const ask = async (signal: AbortSignal): Promise<readonly Memory[]> => (await search(wish, signal)).results.map(({ entry }) => entry);
  return useSuggested(typed.length < LEAST_CHARS ? undefined : ask, { of: typed, pauseMs: PAUSE_MS, none: NONE });
}

function memoryItems(memories: readonly Memory[], typed: string): readonly FoundItem[] {
  if (typed === '') return [];
  const found = memories.map((memory): FoundItem => {
    const text = titleOf(memory);
    const run = (): void => {
      markUsed(memory.id);
      go({ id: memory.id });
    };
    return {
      id: `memory-${memory.id}`,
      group: 'memories',
      icon: 'file',
      text,
      end: memory.metadata.namespace,
      ranges: wordsIn(typed, text),
      run,
    };
  });
  const all = (): void => go({ ...START, q: typed });
  return [...found, { id: 'everything', group: 'memories', icon: 'search', text: paletteTexts.everything(typed), ranges: [], run: all }];
}

function matching(items: readonly Item[], typed: string, loose: boolean): readonly FoundItem[] {
  if (typed === '') return items.map((item) => ({ ...item, ranges: [] }));
  return items
    .flatMap((item) => {
      const match = fuzzyMatch(typed, item.text, { loose });
      if (match !== undefined) return [{ item, ...match }];
      const other = item.also === undefined ? undefined : fuzzyMatch(typed, item.also);
      return other === undefined ? [] : [{ item, score: other.score / 2, ranges: [] }];
    })
    .toSorted((a, b) => b.score - a.score)
    .map(({ item, ranges }) => ({ ...item, ranges }));
}

/** The groups of the palette; with `only`, a single group. */
export function usePalette(
  text: string,
  only: Group | undefined,
): readonly { readonly group: Group; readonly items: readonly FoundItem[] }[] {
  const { namespaces, tags, needTags, mayWrite } = useServer();
  const live = useLive();
  useEffect(needTags, []);
  const typed = text.trim();
  const memories = useMemories(typed);
  const recent = useMemo(recentItems, []);
  const commands = useMemo(() => commandItems(live, mayWrite), [live.state, mayWrite]);
  const places = useMemo(() => [...savedItems(), ...namespaceAndTagItems(namespaces, tags)], [namespaces, tags]);
  return useMemo(() => {
    const all: Readonly<Record<Group, readonly FoundItem[]>> = {
      recent: matching(recent, typed, false),
      commands: matching(commands, typed, true),
      memories: memoryItems(memories, typed),
      places: matching(places, typed, false),
    };
    const step = only !== undefined ? 2 : typed === '' ? 0 : 1;
    const groups = GROUPS.filter((group) => only === undefined || group === only);
    return groups.map((group) => ({ group, items: all[group].slice(0, ROOM[group][step]) })).filter(({ items }) => items.length > 0);
  }, [typed, only, memories, recent, commands, places]);
}
