import { useEffect } from 'preact/hooks';
import type { ListSort } from '../../../src/memory/entry.ts';
import { filterOf, useAddress, type Filter } from '../address.ts';
import { Icon } from '../parts/icon.tsx';
import { Stale } from '../parts/state.tsx';
import { useScope, useServer } from '../shell/server.tsx';
import '../styles/browse.css';
import { texts } from '../texts.ts';
import { browseTexts } from './texts.ts';
import { NothingToBrowse } from './browse-states.tsx';
import { BulkBar } from './bulk-bar.tsx';
import { MemoryList } from './memory-list.tsx';
import { Rail } from './rail.tsx';
import { RowMenu } from './row-menu.tsx';
import { Toolbar } from './toolbar.tsx';
import { useBrowsing } from './use-browsing.ts';
import { isByTime, useCollection, type Collection } from './use-collection.ts';
import { YearStrip } from './year-strip.tsx';

/** Below so many days there is nowhere far to jump to. */
const RAIL_DAYS = 4;

/** Every memory, by day or by importance, as a list or in time. */
export function BrowseView() {
  const address = useAddress();
  const filter = filterOf(address);
  const isTimeline = address.as === 'timeline';
  const sort = isTimeline && !isByTime(address.sort) ? '-createdAt' : address.sort;
  const within = useScope(filter);
  const loaded = useCollection({ filter: within, sort });
  const { collection, error, stale, again } = loaded;
  useEffect(() => {
    document.title = texts.title(browseTexts.title);
  }, []);
  return (
    <>
      <Toolbar total={stale ? undefined : collection?.total} sort={sort} isTimeline={isTimeline} />
      {within === undefined || collection === undefined || collection.total === 0 ? (
        <NothingToBrowse filter={filter} isLoading={collection === undefined || stale} error={error} onRetry={again} />
      ) : (
        <Browsing collection={collection} loaded={loaded} filter={within} sort={sort} isTimeline={isTimeline} />
      )}
    </>
  );
}

interface BrowsingProps {
  readonly collection: Collection;
  readonly loaded: ReturnType<typeof useCollection>;
  readonly filter: Filter;
  readonly sort: ListSort;
  readonly isTimeline: boolean;
}

function Browsing({ collection, loaded, filter, sort, isTimeline }: BrowsingProps) {
  const { mayWrite } = useServer();
  const browsing = useBrowsing(collection, loaded, { filter, isTimeline });
  const { scroller, plan, viewport, position, selection, actions, menu, setMenu, byTime } = browsing;
  const time = { calendar: collection.calendar, plan, sort, viewport, onJump: browsing.jump };
  const hasRail = byTime && !isTimeline && collection.days.length >= RAIL_DAYS;
  return (
    <>
      {byTime && isTimeline && <YearStrip {...time} />}
      {loaded.error !== undefined && <Stale error={loaded.error} title={browseTexts.failed} onRetry={loaded.again} />}
      <div class={hasRail ? 'browse' : 'browse browse--one'} aria-busy={loaded.stale}>
        <div class="browse-main">
          <Arrivals number={position.arrived} onShow={() => position.goTo(0)} />
          <div ref={scroller} class="pane" tabIndex={-1} role="region" aria-label={browseTexts.list} onMouseDown={keepText}>
            <MemoryList
              plan={plan}
              viewport={viewport}
              total={collection.total}
              at={(place) => collection.pages.at(place)}
              current={position.current}
              isSelected={selection.has}
              actions={actions}
              onWhole={browsing.onWhole}
            />
          </div>
          <BulkBar
            selection={selection}
            filter={filter}
            total={collection.total}
            loaded={() => [...collection.pages.loaded()].map(([, memory]) => memory)}
            onDone={browsing.onDone}
            onBack={browsing.onBack}
          />
        </div>
        {hasRail && <Rail {...time} />}
      </div>
      {menu !== undefined && (
        <RowMenu
          key={menu.memory.id}
          {...menu}
          selected={selection.has(menu.memory.id)}
          onOpen={() => actions.onOpen(menu.memory)}
          onSelect={() => actions.onToggle(menu.memory, menu.place, false)}
          onForget={mayWrite ? () => browsing.onForget(menu.memory) : undefined}
          onClose={() => setMenu(undefined)}
        />
      )}
    </>
  );
}

/** A range of rows that is selected is no text that is selected. */
function keepText(event: MouseEvent): void {
  if (event.shiftKey) event.preventDefault();
}

/** What came at the top while someone was reading farther down. */
function Arrivals({ number, onShow }: { number: number; onShow: () => void }) {
  return (
    <div class="arrivals" role="status">
      {number > 0 && (
        <button type="button" class="newpill" onClick={onShow}>
          <Icon name="up" size="sm" />
          {browseTexts.arrived(number)}
        </button>
      )}
    </div>
  );
}
