import type { View } from '../address.ts';
import type { IconName } from '../parts/icon.tsx';

interface NavigationItem {
  readonly view: View;
  readonly icon: IconName;
  /** Key that leads there. */
  readonly key?: string;
}

const SAVE: NavigationItem = { view: 'save', icon: 'plus', key: 'N' };
const SEARCH: NavigationItem = { view: 'search', icon: 'search', key: '/' };
const STATS: NavigationItem = { view: 'stats', icon: 'chart' };

/** Every view, in the order of the side. */
export const SIDE_ITEMS = [SAVE, SEARCH, STATS];
/** Every view, in the order of the bar on a small screen. */
export const TAB_ITEMS = [SEARCH, SAVE, STATS];
