import { go, readAddress, START, type Address } from '../address.ts';
import type { NamespaceSummary, Stats } from '../api/responses.ts';
import { keyring } from '../api/keyring.ts';
import type { IconName } from '../parts/icon.tsx';
import { copy } from '../parts/toasts.tsx';
import { focusSearch } from '../search/search-bar.tsx';
import { texts } from '../texts.ts';
import { paletteTexts } from './palette-texts.ts';
import { GLOBAL_NAMESPACE } from '../../../src/memory/vocabulary.ts';
import type { KeyName } from './keys.ts';
import type { useLive } from './live.tsx';
import { showOverlay } from './overlay.ts';
import { lock } from './lock.ts';
import { recentSearches } from './recent-searches.ts';
import { savedSearches } from './saved-searches.ts';
import { chooseTheme, chosenTheme, THEME_ICONS, THEMES } from './theme.tsx';
import { allowedOf, SIDE_ITEMS } from './views.ts';
import { actionTexts } from '../entry/action-texts.ts';

export const GROUPS = ['recent', 'commands', 'memories', 'places'] as const;
export type Group = (typeof GROUPS)[number];

export interface Item {
  /** Unique, and valid in an address of the page. */
  readonly id: string;
  readonly group: Group;
  readonly icon: IconName;
  readonly text: string;
  /** Additional search words. */
  readonly also?: string;
  /** Text at the end of the line. */
  readonly end?: string;
  readonly key?: KeyName;
  readonly run: () => void;
}

const to = (address: Partial<Address>) => (): void => go({ ...START, ...address });

/** Goes to the search, optionally once in another mode. */
function toSearch(options: Partial<Pick<Address, 'mode'>> = {}): void {
  // Also closes open details, which would hide the results.
  go({ ...options, view: 'memories', id: '' });
  requestAnimationFrame(focusSearch);
}

const views = (mayWrite: boolean): readonly Item[] =>
  allowedOf(SIDE_ITEMS, mayWrite).map(({ view, icon, does }) => ({
    id: `view-${view}`,
    group: 'commands',
    icon,
    text: texts.views[view],
    ...(does !== undefined && { key: does }),
    run: to({ view }),
  }));

const palette = paletteTexts;
const FURTHER: readonly Omit<Item, 'group'>[] = [
  { id: 'search', icon: 'search', text: palette.search, key: 'search', run: () => toSearch() },
  { id: 'timeline', icon: 'timeline', text: palette.timeline, also: texts.views.memories, run: to({ as: 'timeline' }) },
  { id: 'archive', icon: 'restore', text: palette.archive, run: to({ view: 'admin', part: 'archive' }) },
  { id: 'data', icon: 'download', text: palette.backup, run: to({ view: 'admin', part: 'data' }) },
  { id: 'settings', icon: 'admin', text: palette.settings, run: to({ view: 'admin', part: 'settings' }) },
  { id: 'by-meaning', icon: 'search', text: palette.byMeaning, end: palette.mode, run: () => toSearch({ mode: 'vector' }) },
  { id: 'by-words', icon: 'search', text: palette.byWords, end: palette.mode, run: () => toSearch({ mode: 'keyword' }) },
  { id: 'copy-link', icon: 'link', text: palette.copyLink, run: () => void copy(location.href, actionTexts.linkCopied) },
  { id: 'help', icon: 'keyboard', text: palette.help, key: 'help', run: () => showOverlay('help') },
  { id: 'docs', icon: 'book', text: texts.apiDocs, also: 'docs openapi', run: () => location.assign('/docs') },
];

const themes = (): readonly Item[] =>
  THEMES.filter((theme) => theme !== chosenTheme()).map((theme) => ({
    id: `theme-${theme}`,
    group: 'commands',
    icon: THEME_ICONS[theme],
    text: texts.theme[theme],
    end: texts.theme.legend,
    run: () => chooseTheme(theme),
  }));

function liveItem({ state, pause, resume }: ReturnType<typeof useLive>): readonly Item[] {
  if (state === 'off') return [];
  const isPaused = state === 'paused';
  return [
    {
      id: 'live',
      group: 'commands',
      icon: isPaused ? 'play' : 'pause',
      text: isPaused ? texts.live.resume : texts.live.pause,
      run: isPaused ? resume : pause,
    },
  ];
}

const lockItem = (): readonly Item[] =>
  keyring.key === undefined ? [] : [{ id: 'lock', group: 'commands', icon: 'lock', text: palette.lock, run: lock }];

/** Actions that are available everywhere. */
export const commandItems = (live: ReturnType<typeof useLive>, mayWrite: boolean): readonly Item[] => [
  ...views(mayWrite),
  ...FURTHER.map((item): Item => ({ ...item, group: 'commands' })),
  ...themes(),
  ...liveItem(live),
  ...lockItem(),
];

/** Namespaces and tags with links to their memories. */
export const namespaceAndTagItems = (namespaces: readonly NamespaceSummary[], tags: Stats['topTags']): readonly Item[] => [
  ...namespaces.map(({ namespace, entries }): Item => ({
    id: `ns-${namespace}`,
    group: 'places',
    icon: namespace === GLOBAL_NAMESPACE ? 'globe' : 'ns',
    text: palette.namespace(namespace),
    end: palette.size(entries),
    run: to({ ns: namespace }),
  })),
  ...tags.map(({ tag, entries }): Item => ({
    id: `tag-${tag}`,
    group: 'places',
    icon: 'tag',
    text: palette.tag(tag),
    end: palette.size(entries),
    run: to({ tags: [tag] }),
  })),
];

export const savedItems = (): readonly Item[] =>
  savedSearches().map(({ name, href }) => ({
    id: `saved-${href}`,
    group: 'places',
    icon: 'search',
    text: name,
    end: palette.savedSearch,
    run: to(readAddress(href.slice(1))),
  }));

export const recentItems = (): readonly Item[] =>
  recentSearches().map((q) => ({ id: `recent-${q}`, group: 'recent', icon: 'history', text: q, run: to({ q }) }));
