import { useEffect, useRef } from 'preact/hooks';
import { MAX_PAGED_RESULTS } from '../../../src/memory/vocabulary.ts';
import type { Address } from '../address.ts';
import type { Hit } from '../api/responses.ts';
import type { Marker } from '../parts/marked.tsx';
import { NewPill } from '../parts/new-pill.tsx';
import { Failure, Skeleton, Stale } from '../parts/state.tsx';
import { ArchivedBar } from './archived-bar.tsx';
import { HitRow } from './hit-row.tsx';
import { NoResult } from './no-result.tsx';
import { resultTexts } from './result-texts.ts';
import type { useResults } from './use-results.ts';
import type { WeakHits } from './weak-hits.ts';

/** Distance to the end of the list at which the next page is loaded. */
const NEAR = '0px 0px 600px 0px';

interface ResultListProps {
  readonly weak: WeakHits | undefined;
  readonly results: ReturnType<typeof useResults>;
  readonly address: Address;
  readonly marker: Marker;
  readonly selected: Hit | undefined;
  readonly onSelect: (id: string) => void;
  readonly onOpen: (id: string) => void;
}

/** Shows new results. The button disappears, so the focus moves to them. */
function toTop(button: HTMLElement, show: () => void): void {
  const pane = button.closest('.pane');
  show();
  requestAnimationFrame(() => {
    pane?.scrollTo(0, 0);
    pane?.querySelector<HTMLElement>('ol a')?.focus();
  });
}

export function ResultList(props: ResultListProps) {
  const { results, weak, address } = props;
  const { hits, error, loading } = results;
  return (
    <div class="pane" aria-busy={loading}>
      {error !== undefined && hits.length > 0 && <Stale error={error} title={resultTexts.failed} onRetry={results.again} />}
      <NewPill number={results.fresh} onShow={(button) => toTop(button, results.showFresh)} />
      <ArchivedBar results={results} address={address} />
      {hits.length > 0 && weak?.isFolded !== true && <Hits {...props} />}
      {hits.length === 0 && loading && <Skeleton />}
      {hits.length === 0 && !loading && error !== undefined && <Failure error={error} title={resultTexts.failed} onRetry={results.again} />}
      {hits.length === 0 && !loading && error === undefined && <NoResult address={address} />}
      {weak?.isFolded === true && error === undefined && <NoResult address={address} weak={weak} />}
    </div>
  );
}

function Hits({ results, address, marker, selected, onSelect, onOpen }: ResultListProps) {
  const { hits, hasMore, total } = results;
  return (
    <>
      <ol>
        {hits.map((hit) => (
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
      {hasMore && <More results={results} />}
      {!hasMore && total === MAX_PAGED_RESULTS && <p class="more dim small">{resultTexts.end(hits.length)}</p>}
    </>
  );
}

/** Loads the next page when the user comes near the end. */
function More({ results: { loading, hits, more } }: Pick<ResultListProps, 'results'>) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (button.current === null || loading) return;
    // On a small screen the page scrolls, not the list.
    const pane = button.current.closest('.pane');
    const root = pane !== null && pane.scrollHeight > pane.clientHeight ? pane : null;
    const watcher = new IntersectionObserver(([seen]) => seen?.isIntersecting === true && more(), { root, rootMargin: NEAR });
    watcher.observe(button.current);
    return () => watcher.disconnect();
  }, [loading, hits.length]);
  return (
    <div class="more">
      <button ref={button} type="button" class="btn" aria-disabled={loading} onClick={loading ? undefined : more}>
        {resultTexts.more}
      </button>
    </div>
  );
}
