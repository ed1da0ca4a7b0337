import type { View } from '../address.ts';
import type { IconName } from '../parts/icon.tsx';
import type { KeyName } from './keys.ts';

interface NavigationItem {
  readonly view: View;
  readonly icon: IconName;
  readonly does?: KeyName;
}

const SAVE: NavigationItem = { view: 'save', icon: 'plus', does: 'save' };
const MEMORIES: NavigationItem = { view: 'memories', icon: 'layers', does: 'list' };
const GRAPH: NavigationItem = { view: 'graph', icon: 'graph', does: 'graph' };
const ORGANIZE: NavigationItem = { view: 'organize', icon: 'tag' };
const STATS: NavigationItem = { view: 'stats', icon: 'chart' };
const ADMIN: NavigationItem = { view: 'admin', icon: 'admin' };

/** The views without those that need write access, if the key has none. */
export const allowedOf = (items: readonly NavigationItem[], mayWrite: boolean): readonly NavigationItem[] =>
  mayWrite ? items : items.filter(({ view }) => view !== 'save');

/** All views in the order of the sidebar. */
export const SIDE_ITEMS = [SAVE, MEMORIES, GRAPH, ORGANIZE, STATS, ADMIN];
/** The views in the bar on a small screen, in its order; the commands there lead to the others. */
export const TAB_ITEMS = [MEMORIES, SAVE, GRAPH, STATS, ADMIN];
