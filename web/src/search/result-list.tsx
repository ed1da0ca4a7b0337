import { useEffect, useState } from 'preact/hooks';
import { go, type Address } from '../address.ts';
import type { Hit } from '../api/forms.ts';
import { Icon } from '../parts/icon.tsx';
import { Failure, Skeleton, State } from '../parts/state.tsx';
import { texts } from '../texts.ts';
import type { Marker } from './marker.ts';
import { HitRow } from './hit-row.tsx';
import type { useResults } from './use-results.ts';

const PATIENCE_MS = 300;

interface ResultListProps {
  readonly results: ReturnType<typeof useResults>;
  readonly address: Address;
  readonly marker: Marker;
  readonly selected: Hit | undefined;
  readonly offline: boolean;
  readonly onSelect: (id: string) => void;
  readonly onOpen: (id: string) => void;
}

/** Whether something has been going on for longer than a person waits without a sign. */
function useLong(going: boolean): boolean {
  const [long, setLong] = useState(false);
  useEffect(() => {
    setLong(false);
    if (!going) return;
    const timer = setTimeout(() => setLong(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [going]);
  return long;
}

/** The results, or why there are none. */
export function ResultList(props: ResultListProps) {
  const { results, address } = props;
  const { hits, error, loading } = results;
  const slow = useLong(loading);
  return (
    <div class="pane" aria-busy={loading}>
      <h1 class="sr">{results.query === '' ? texts.search.newest : texts.search.results}</h1>
      {error !== undefined && hits.length > 0 && (
        <Stale offline={error.offline || props.offline} onRetry={results.again} message={error.message} />
      )}
      {hits.length > 0 && <Hits {...props} />}
      {hits.length === 0 && loading && slow && <Skeleton />}
      {hits.length === 0 && !loading && error !== undefined && (
        <Failure error={error} title={texts.search.failed} onRetry={results.again} />
      )}
      {hits.length === 0 && !loading && error === undefined && <NoResult address={address} />}
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
      {results.hasMore && (
        <div class="more">
          <button type="button" class="btn" disabled={results.loading} onClick={results.more}>
            {texts.search.more}
          </button>
        </div>
      )}
    </>
  );
}

/** Over results that could not be refreshed. */
function Stale({ offline, message, onRetry }: { offline: boolean; message: string; onRetry: () => void }) {
  return (
    <div class="banner banner--flat" role="alert">
      <Icon name={offline ? 'offline' : 'warn'} />
      <div>
        <b>{offline ? texts.offline.title : texts.search.failed}</b>
        <p>{offline ? texts.offline.stale : message}</p>
      </div>
      <button type="button" class="btn" onClick={onRetry}>
        {texts.tryAgain}
      </button>
    </div>
  );
}

function NoResult({ address }: { address: Address }) {
  const { q, ns, tags, mode } = address;
  const filtered = ns !== '' || tags.length > 0;
  const asked = q.trim() !== '';
  return (
    <State
      icon="search"
      title={asked ? texts.search.nothing(q.trim()) : texts.search.nothingHere}
      text={filtered ? texts.search.filteredBy(ns, tags) : texts.search.nothingHelp[mode]}
    >
      <div class="row row--wrap">
        {filtered && (
          <button type="button" class="btn" onClick={() => go({ ns: '', tags: [] })}>
            {texts.filters.removeAll}
          </button>
        )}
        {asked && mode !== 'hybrid' && (
          <button type="button" class="btn" onClick={() => go({ mode: 'hybrid' }, { replace: true })}>
            {texts.search.tryHybrid}
          </button>
        )}
        {asked && (
          <button type="button" class="btn btn--quiet" onClick={() => go({ q: '' })}>
            {texts.search.clear}
          </button>
        )}
      </div>
    </State>
  );
}
