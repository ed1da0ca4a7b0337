import { currentView, go, START, useAddress } from './address.ts';
import { Toasts } from './parts/toasts.tsx';
import { SaveView } from './save/save-view.tsx';
import { focusSearch } from './search/search-bar.tsx';
import { SearchView } from './search/search-view.tsx';
import { KeyDialog } from './shell/key-dialog.tsx';
import { TabBar, Top } from './shell/narrow.tsx';
import { ServerProvider } from './shell/server.tsx';
import { useShortcuts } from './shell/shortcuts.ts';
import { Side } from './shell/side.tsx';
import { StatsView } from './stats/stats-view.tsx';
import { texts } from './texts.ts';

const VIEWS = { search: SearchView, save: SaveView, stats: StatsView };

function goToSearch(): void {
  if (currentView() !== 'search') go(START);
  // The field is there only after the view was rendered.
  requestAnimationFrame(focusSearch);
}

/** The whole page: side, current view, and what floats above. */
export function App() {
  const { view } = useAddress();
  const View = VIEWS[view];
  useShortcuts({ '/': goToSearch, n: () => go({ ...START, view: 'save' }) });
  return (
    <ServerProvider>
      <a class="skip" href="#main">
        {texts.skip}
      </a>
      <div class="app">
        <Side />
        <main class={view === 'search' ? 'main main--fixed' : 'main'} id="main" tabIndex={-1}>
          <Top />
          <View />
        </main>
        <TabBar />
      </div>
      <Toasts />
      <KeyDialog />
    </ServerProvider>
  );
}
