import type { View } from '../address.ts';
import type { IconName } from '../parts/icon.tsx';
import type { KeyName } from './keys.ts';

interface NavigationItem {
  readonly view: View;
  readonly icon: IconName;
  /** The key that leads there. */
  readonly does?: KeyName;
}

const SAVE: NavigationItem = { view: 'save', icon: 'plus', does: 'save' };
const MEMORIES: NavigationItem = { view: 'memories', icon: 'layers', does: 'list' };
const GRAPH: NavigationItem = { view: 'graph', icon: 'graph', does: 'graph' };
const STATS: NavigationItem = { view: 'stats', icon: 'chart' };
const ADMIN: NavigationItem = { view: 'admin', icon: 'admin' };

/** Without those that only change things, where the key of this tab may not. */
export const allowedOf = (items: readonly NavigationItem[], mayWrite: boolean): readonly NavigationItem[] =>
  mayWrite ? items : items.filter(({ view }) => view !== 'save');

/** Every view, in the order of the side. */
export const SIDE_ITEMS = [SAVE, MEMORIES, GRAPH, STATS, ADMIN];
/** Every view, in the order of the bar on a small screen. */
export const TAB_ITEMS = [MEMORIES, SAVE, GRAPH, STATS, ADMIN];
