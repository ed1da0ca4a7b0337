import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { currentAddress, go, START, useAddress, type View } from './address.ts';
import { EntryListProvider } from './entry/entry-list.tsx';
import { goToList } from './browse/list-focus.ts';
import { Dialog } from './parts/dialog.tsx';
import { Toasts } from './parts/toasts.tsx';
import { focusSearch } from './search/search-bar.tsx';
import { MemoriesView } from './memories/memories-view.tsx';
import { KeyDialog } from './shell/key-dialog.tsx';
import { pressed } from './shell/keys.ts';
import { lazyView } from './shell/lazy-view.tsx';
import { LiveUpdates } from './shell/live.tsx';
import { TabBar, TopBar } from './shell/small-screen.tsx';
import { Overlays } from './shell/overlays.tsx';
import { ServerProvider, useServer } from './shell/server.tsx';
import { useShortcuts } from './shell/shortcuts.ts';
import { Side } from './shell/side.tsx';
import { texts } from './texts.ts';

const VIEWS = {
  memories: MemoriesView,
  graph: lazyView(async () => (await import('./graph/graph-view.tsx')).GraphView),
  save: lazyView(async () => (await import('./save/save-view.tsx')).SaveView),
  organize: lazyView(async () => (await import('./organize/organize-view.tsx')).OrganizeView),
  stats: lazyView(async () => (await import('./stats/stats-view.tsx')).StatsView),
  admin: lazyView(async () => (await import('./admin/admin-view.tsx')).AdminView),
};

function DrawerFrame({ children }: { children: ComponentChildren }) {
  return (
    <Dialog class="drawer" labelledBy="drawer-title" onClose={() => go({ id: '' })}>
      <h2 class="sr" id="drawer-title">
        {texts.oneMemory}
      </h2>
      {children}
    </Dialog>
  );
}

const EntryDrawer = lazyView(async () => (await import('./entry/entry-drawer.tsx')).EntryDrawer, { isSoon: true, Frame: DrawerFrame });

/** Views that fill the window and scroll inside. */
const FIXED: ReadonlySet<View> = new Set(['memories', 'graph']);

function goToSearch(): void {
  if (currentAddress().view === 'memories') return focusSearch();
  go(START);
  // The field exists only after the view is rendered.
  requestAnimationFrame(focusSearch);
}

/** Focuses the search field at the start. Not if the page opens with results or a memory, or if an on-screen keyboard would cover it. */
function beginInSearch(): void {
  const { view, id, q } = currentAddress();
  if (view === 'memories' && id === '' && q === '' && document.activeElement === document.body && matchMedia('(hover: hover)').matches)
    focusSearch();
}

function ViewKeys() {
  const { mayWrite } = useServer();
  useShortcuts(
    pressed({
      search: goToSearch,
      ...(mayWrite && { save: () => go({ ...START, view: 'save' }) }),
      list: goToList,
      graph: () => go({ ...START, view: 'graph' }),
    }),
  );
  return null;
}

export function App() {
  const { view, id } = useAddress();
  const View = VIEWS[view];
  useEffect(beginInSearch, []);
  return (
    <ServerProvider>
      <LiveUpdates />
      <ViewKeys />
      <EntryListProvider>
        <a class="skip skip--side" href="#side">
          {texts.skipToSide}
        </a>
        <div class="app">
          <main class={FIXED.has(view) ? 'main main--fixed' : 'main'} id="main" tabIndex={-1}>
            <TopBar />
            <View key={view} />
          </main>
          <Side />
          <TabBar />
        </div>
        {id !== '' && <EntryDrawer id={id} />}
        <Toasts />
        <Overlays />
        <KeyDialog />
      </EntryListProvider>
    </ServerProvider>
  );
}
