import { useEffect, useRef } from 'preact/hooks';
import { filterOf, isFiltered, useAddress } from '../address.ts';
import { ListControls } from '../browse/list-controls.tsx';
import { browseTexts } from '../browse/texts.ts';
import { isByTime, useCollection } from '../browse/use-collection.ts';
import { useDelayed } from '../parts/use-delayed.ts';
import { SearchBar, type Body } from '../search/search-bar.tsx';
import { searchTexts } from '../search/texts.ts';
import { useResults } from '../search/use-results.ts';
import { useWeakHits } from '../search/weak-hits.ts';
import { preloadViews, lazyView } from '../shell/lazy-view.tsx';
import { useScope } from '../shell/server.tsx';
import { texts } from '../texts.ts';

const loadResults = async () => (await import('../search/results.tsx')).Results;
const loadBrowse = async () => (await import('../browse/browse.tsx')).Browse;
const Results = lazyView(loadResults, { isSoon: true });
const Browse = lazyView(loadBrowse, { isSoon: true });
const FirstRun = lazyView(async () => (await import('./first-run.tsx')).FirstRun);

/** Delay after the first content before other views are preloaded. */
const AHEAD_MS = 300;

/** All memories by day or in a timeline; search results as soon as something is typed. The field stays in place. */
export function MemoriesView() {
  const address = useAddress();
  const query = address.q.trim();
  const filter = filterOf(address);
  const within = useScope(filter);
  const isTimeline = address.as === 'timeline';
  const sort = isTimeline && !isByTime(address.sort) ? '-createdAt' : address.sort;
  const loaded = useCollection({ filter: within, sort, isPaused: query !== '' });
  const results = useResults(address);
  const weak = useWeakHits(results);
  const body = useRef<Body>({});
  const isAnswered = results.query !== '' || results.error !== undefined;
  const isLate = useDelayed(query !== '' && !isAnswered);
  // The old content stays until the new one is loaded.
  const isSearch = query !== '' && (isAnswered || isLate);
  useEffect(() => {
    document.title = query === '' ? texts.product : texts.title(query);
  }, [query]);
  const { collection, stale } = loaded;
  const isAsked = query !== '';
  useEffect(() => {
    // Preloads in parallel with the request, but after it: a browser opens six connections. A failure is reported when the code is needed.
    const timer = setTimeout(() => void (isAsked ? loadResults() : loadBrowse()).catch(() => undefined));
    return () => clearTimeout(timer);
  }, [isAsked]);
  const isThere = isAsked ? isAnswered : collection !== undefined;
  useEffect(() => {
    if (!isThere) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    // On a slow line the answer comes before the code that shows it: nothing else is loaded until then.
    const begin = (): void => {
      if (!isOver) timer = setTimeout(preloadViews, AHEAD_MS);
    };
    (isAsked ? loadResults() : loadBrowse()).then(begin, begin);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [isThere]);
  if (query === '' && !stale && collection?.total === 0 && loaded.error === undefined && !isFiltered(filter)) return <FirstRun />;
  const total = stale ? undefined : collection?.total;
  const listed = total === undefined ? '' : isFiltered(filter) ? browseTexts.filtered(total) : browseTexts.total(total);
  return (
    <>
      <SearchBar found={isSearch ? searchTexts.found(results, weak) : listed} body={body}>
        {!isSearch && <ListControls sort={sort} isTimeline={isTimeline} />}
      </SearchBar>
      <h1 class="sr">{isSearch ? searchTexts.results : browseTexts.list}</h1>
      {isSearch ? (
        <Results address={address} results={results} weak={weak} body={body} />
      ) : (
        (!isAsked || collection !== undefined) && <Browse loaded={loaded} within={within} sort={sort} isTimeline={isTimeline} body={body} />
      )}
    </>
  );
}
