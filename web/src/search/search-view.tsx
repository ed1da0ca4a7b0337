import { useEffect, useMemo, useState } from 'preact/hooks';
import { chooseOptions, currentAddress, filterOf, go, isFiltered, useAddress, type Address } from '../address.ts';
import { markUsed } from '../api/client.ts';
import type { Hit } from '../api/forms.ts';
import { usePutBehind } from '../entry/behind.tsx';
import { Preview } from '../entry/preview.tsx';
import { useServer } from '../shell/server.tsx';
import { pressed } from '../shell/keys.ts';
import { useShortcuts } from '../shell/shortcuts.ts';
import { texts } from '../texts.ts';
import { searchTexts } from './texts.ts';
import { entryTexts } from '../entry/texts.ts';
import { lazyView } from '../shell/lazy-view.tsx';
import { markerFor } from './marker.ts';
import { hitLink } from './hit-row.tsx';
import { ResultList } from './result-list.tsx';
import { holdsWord, isAbout } from './scored.ts';
import { focusSearch, SearchBar } from './search-bar.tsx';
import { useResults, type Results } from './use-results.ts';

const FirstRun = lazyView(async () => (await import('./first-run.tsx')).FirstRun);
const NONE: readonly Hit[] = [];

const isEmptyStore = (results: Results, address: Address): boolean =>
  !results.loading && results.error === undefined && results.total === 0 && address.q.trim() === '' && !isFiltered(filterOf(address));

/** The selected hit: the one last chosen, or the first where that is not in the list. */
function useSelection(hits: readonly Hit[]) {
  const [chosen, select] = useState('');
  const index = Math.max(
    hits.findIndex((hit) => hit.entry.id === chosen),
    0,
  );
  const goTo = (place: number): void => {
    const target = hits[Math.max(0, Math.min(place, hits.length - 1))];
    if (target === undefined) return;
    select(target.entry.id);
    const element = document.getElementById(hitLink(target.entry.id));
    element?.focus({ preventScroll: true });
    element?.closest('li')?.scrollIntoView({ block: 'nearest' });
  };
  const step = (by: number): void => {
    // Where the focus is, not what was rendered: keys come faster than renders. From outside the list the first step goes to the selected
    // hit, not past it.
    const focused = hits.findIndex((hit) => hitLink(hit.entry.id) === document.activeElement?.id);
    if (focused === 0 && by < 0) return focusSearch();
    goTo(focused < 0 ? index : focused + by);
  };
  /** To what follows a hit that goes: the next one, else the one before it. */
  const leave = (id: string): void => {
    const at = hits.findIndex((hit) => hit.entry.id === id);
    if (hits.length > (at < 0 ? 0 : 1)) goTo(at < 0 ? index : at + 1 < hits.length ? at + 1 : at - 1);
    else document.querySelector<HTMLElement>('#main')?.focus();
  };
  return { selected: hits[index], select, step, goTo, leave };
}

/** Words of the hits that the server found by another way than the page can: `kubernetes` for `k8s`. Known only where it explains. */
const matchedWords = (hits: readonly Hit[]): string[] =>
  hits.flatMap(({ explanation }) => explanation?.keyword?.terms.map(({ matched }) => matched) ?? []);

/** What is found, what of it is selected, and how words of it are marked. */
function useFound(address: Address) {
  const { version, lost } = useServer();
  const results = useResults(address, version);
  useEffect(() => {
    if (results.error?.offline === true) lost();
  }, [results.error]);
  const [unfolded, setUnfolded] = useState('');
  const isWeak = results.hits.length > 0 && !results.hits.some(isAbout);
  // A query that is being typed ends in a part of a word: what holds the others stays in view.
  const isFolded = isWeak && unfolded !== results.query && !results.hits.some(holdsWord);
  const hits = isFolded ? NONE : results.hits;
  const unfold = (): void => {
    setUnfolded(results.query);
    // The button goes, and the focus with it: to what it brought.
    requestAnimationFrame(() => document.querySelector<HTMLElement>('.pane ol a')?.focus());
  };
  const weak = isWeak ? { isFolded, count: results.hits.length, unfold } : undefined;
  // What is in the archive has no details to open.
  const live = useMemo(() => hits.filter(({ archived }) => archived === undefined), [hits]);
  const marker = useMemo(() => markerFor(results.query, matchedWords(hits)), [results.query, hits]);
  return { results, hits, weak, live, marker, ...useSelection(hits) };
}

function useListKeys({ hits, step, goTo }: ReturnType<typeof useFound>): void {
  useShortcuts(
    pressed({
      next: () => step(1),
      previous: () => step(-1),
      first: () => goTo(0),
      last: () => goTo(hits.length - 1),
      close: focusSearch,
      explain: () => chooseOptions({ explain: !currentAddress().explain }),
    }),
  );
}

/** Search: the newest memories while nothing is asked, the best ones as soon as something is. */
export function SearchView() {
  const address = useAddress();
  const found = useFound(address);
  const { results, live, select } = found;
  useListKeys(found);
  useEffect(() => {
    document.title = address.q.trim() === '' ? texts.product : texts.title(address.q.trim());
  }, [address.q]);
  const more = results.hasMore && !results.loading ? results.more : undefined;
  usePutBehind({ hits: live, total: results.total, isCut: results.isCut, more, marker: found.marker, leave: found.leave });
  // What was opened, and what was stepped to in there, is what the list has selected afterwards.
  useEffect(() => {
    if (address.id !== '') select(address.id);
  }, [address.id]);
  return isEmptyStore(results, address) ? <FirstRun /> : <Found address={address} found={found} />;
}

/** Field, list and preview. */
function Found({ address, found }: { address: Address; found: ReturnType<typeof useFound> }) {
  const { results, hits, weak, marker, selected, select, step, leave } = found;
  const open = (id: string): void => {
    const hit = hits.find(({ entry }) => entry.id === id);
    if (hit?.archived !== undefined) return select(id);
    if (results.query !== '') markUsed(id);
    go({ id });
  };
  const openSelected = (): void => {
    if (selected !== undefined && !results.loading) open(selected.entry.id);
  };
  return (
    <>
      <SearchBar found={searchTexts.found(results, weak)} onDown={() => step(0)} onEnter={openSelected} />
      <div class={hits.length > 0 ? 'split' : 'split split--one'}>
        <ResultList results={results} weak={weak} address={address} marker={marker} selected={selected} onSelect={select} onOpen={open} />
        {selected !== undefined && (
          <aside class="pane pane--side" aria-label={entryTexts.details.preview}>
            <Preview hit={selected} marker={marker} onOpen={openSelected} onForgotten={() => leave(selected.entry.id)} />
          </aside>
        )}
      </div>
    </>
  );
}
