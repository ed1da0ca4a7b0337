import { useEffect, useRef } from 'preact/hooks';
import { filterOf, type Address } from '../address.ts';
import type { Hit } from '../api/forms.ts';
import { Icon } from '../parts/icon.tsx';
import { Link } from '../parts/link.tsx';
import { Failure, Skeleton, Stale } from '../parts/state.tsx';
import { useLate } from '../parts/use-late.ts';
import { texts } from '../texts.ts';
import { searchTexts } from './texts.ts';
import type { Marker } from './marker.ts';
import { ArchivedBar } from './archived-bar.tsx';
import { HitRow } from './hit-row.tsx';
import { NoResult } from './no-result.tsx';
import type { useResults } from './use-results.ts';

/** Newest memories that are listed here. */
const LONG = 400;
/** How far below the window the end may be when the next ones are asked for. */
const NEAR = '0px 0px 600px 0px';

/** Hits of which none is about what was asked. */
export interface Weak {
  readonly isFolded: boolean;
  readonly count: number;
  readonly unfold: () => void;
}

interface ResultListProps {
  readonly weak: Weak | undefined;
  readonly results: ReturnType<typeof useResults>;
  readonly address: Address;
  readonly marker: Marker;
  readonly selected: Hit | undefined;
  readonly onSelect: (id: string) => void;
  readonly onOpen: (id: string) => void;
}

/** The results, or why there are none. */
export function ResultList(props: ResultListProps) {
  const { results, weak, address } = props;
  const { hits, error, loading } = results;
  const slow = useLate(loading);
  return (
    <div class="pane" aria-busy={loading}>
      <h1 class="sr">{results.query === '' ? searchTexts.newest : searchTexts.results}</h1>
      {error !== undefined && hits.length > 0 && <Stale error={error} title={searchTexts.failed} onRetry={results.again} />}
      <FreshBar results={results} />
      <ArchivedBar results={results} address={address} />
      {hits.length > 0 && weak?.isFolded !== true && <Hits {...props} />}
      {hits.length === 0 && loading && slow && <Skeleton />}
      {hits.length === 0 && !loading && error !== undefined && <Failure error={error} title={searchTexts.failed} onRetry={results.again} />}
      {hits.length === 0 && !loading && error === undefined && <NoResult address={address} />}
      {weak?.isFolded === true && error === undefined && <NoResult address={address} weak={weak} />}
    </div>
  );
}

/** Says that something new came, and shows it when a person wants to. */
function FreshBar({ results: { fresh, showFresh } }: Pick<ResultListProps, 'results'>) {
  const bar = useRef<HTMLDivElement>(null);
  const show = (): void => {
    showFresh();
    // The button goes, and the focus with it: to what it brought.
    requestAnimationFrame(() => {
      const pane = bar.current?.closest('.pane');
      pane?.scrollTo(0, 0);
      pane?.querySelector<HTMLElement>('ol a')?.focus();
    });
  };
  return (
    <div class="newpill-place" role="status" ref={bar}>
      {fresh > 0 && (
        <button type="button" class="newpill" onClick={show}>
          <Icon name="up" size="sm" />
          {texts.live.fresh(fresh)}
        </button>
      )}
    </div>
  );
}

function Hits({ results, address, marker, selected, onSelect, onOpen }: ResultListProps) {
  return (
    <>
      <ol>
        {results.hits.map((hit) => (
          <HitRow
            key={hit.entry.id}
            hit={hit}
            selected={hit.entry.id === selected?.entry.id}
            address={address}
            marker={marker}
            onSelect={() => onSelect(hit.entry.id)}
            onOpen={() => onOpen(hit.entry.id)}
          />
        ))}
      </ol>
      <More results={results} address={address} />
    </>
  );
}

/** Loads the next ones as soon as a person comes near the end; after some pages the list of all is the better place. */
function More({ results, address }: Pick<ResultListProps, 'results' | 'address'>) {
  const button = useRef<HTMLButtonElement>(null);
  const { hasMore, loading, hits, more } = results;
  const isLong = hits.length >= LONG;
  useEffect(() => {
    if (button.current === null || loading || isLong) return;
    // On a small screen the page scrolls, not the list.
    const pane = button.current.closest('.pane');
    const root = pane !== null && pane.scrollHeight > pane.clientHeight ? pane : null;
    const watcher = new IntersectionObserver(([seen]) => seen?.isIntersecting === true && more(), { root, rootMargin: NEAR });
    watcher.observe(button.current);
    return () => watcher.disconnect();
  }, [hasMore, loading, hits.length]);
  if (!hasMore) return null;
  return (
    <div class="more">
      {isLong ? (
        <Link class="btn" to={{ ...filterOf(address), view: 'browse' }}>
          {searchTexts.browseAll(results.total ?? 0)}
        </Link>
      ) : (
        <button ref={button} type="button" class="btn" aria-disabled={loading} onClick={loading ? undefined : more}>
          {searchTexts.more}
        </button>
      )}
    </div>
  );
}
