import { useEffect, useLayoutEffect } from 'preact/hooks';
import type { ListSort } from '../../../src/memory/entry.ts';
import { go, NO_FILTER, type Filter } from '../address.ts';
import { NewPill } from '../parts/new-pill.tsx';
import { Failure, Skeleton, Stale, State } from '../parts/state.tsx';
import type { Body } from '../search/search-bar.tsx';
import { useServer } from '../shell/server.tsx';
import { BulkBar } from './bulk-bar.tsx';
import { takesFocus } from './list-focus.ts';
import { MemoryList } from './memory-list.tsx';
import { Rail } from './rail.tsx';
import { RowMenu } from './row-menu.tsx';
import { browseTexts } from './texts.ts';
import { useBrowsing } from './use-browsing.ts';
import type { Collection, useCollection } from './use-collection.ts';
import { YearStrip } from './year-strip.tsx';
import { Button } from '../parts/button.tsx';

/** With fewer days, no jump controls are shown. */
const RAIL_DAYS = 4;

interface BrowseProps {
  readonly loaded: ReturnType<typeof useCollection>;
  /** Undefined while no request may be made. */
  readonly within: Filter | undefined;
  readonly sort: ListSort;
  readonly isTimeline: boolean;
  readonly body: { current: Body };
}

/** All matching memories by day or by importance, as a list or a timeline. */
export function Browse({ loaded, within, ...props }: BrowseProps) {
  const { collection, error, stale, again } = loaded;
  if (within !== undefined && collection !== undefined && collection.total > 0)
    return <Browsing {...props} collection={collection} loaded={loaded} filter={within} />;
  if (error !== undefined) return <Failure error={error} title={browseTexts.failed} onRetry={again} />;
  if (collection === undefined || stale) return <Skeleton />;
  const { title, text, clear } = browseTexts.nothing;
  return (
    <State icon="filter" title={title} text={text}>
      <Button label={clear} onClick={() => go(NO_FILTER)} />
    </State>
  );
}

interface BrowsingProps extends Omit<BrowseProps, 'within'> {
  readonly collection: Collection;
  readonly filter: Filter;
}

function Browsing({ collection, loaded, filter, sort, isTimeline, body }: BrowsingProps) {
  const { mayWrite } = useServer();
  const browsing = useBrowsing(collection, loaded, { filter, isTimeline });
  const { scroller, plan, viewport, position, selection, actions, menu, setMenu, byTime, enter } = browsing;
  const time = { calendar: collection.calendar, plan, sort, viewport, onJump: browsing.jump };
  const hasRail = byTime && !isTimeline && collection.days.length >= RAIL_DAYS;
  useLayoutEffect(() => {
    body.current = { down: enter, enter };
    return () => {
      body.current = {};
    };
  });
  useEffect(() => {
    if (!loaded.stale && takesFocus()) position.goTo(position.here());
  }, [collection]);
  return (
    <>
      {byTime && isTimeline && <YearStrip {...time} />}
      {loaded.error !== undefined && <Stale error={loaded.error} title={browseTexts.failed} onRetry={loaded.again} />}
      <div class={hasRail ? 'browse' : 'browse browse--one'} aria-busy={loaded.stale}>
        <div class="browse-main">
          <NewPill number={position.arrived} onShow={() => position.goTo(0)} />
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

/** Prevents text selection while a range of rows is selected. */
function keepText(event: MouseEvent): void {
  if (event.shiftKey) event.preventDefault();
}
