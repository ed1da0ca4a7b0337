import { useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { chooseOptions, currentAddress, go, type Address } from '../address.ts';
import { markUsed } from '../api/client.ts';
import type { Hit } from '../api/responses.ts';
import { useRegisterEntryList } from '../entry/entry-list.tsx';
import { pressed } from '../shell/keys.ts';
import { lazyView } from '../shell/lazy-view.tsx';
import { useShortcuts } from '../shell/shortcuts.ts';
import '../styles/results.css';
import { hitLink } from './hit-row.tsx';
import { markerFor } from './marker.ts';
import { ResultList } from './result-list.tsx';
import { focusSearch, type Body } from './search-bar.tsx';
import type { useResults } from './use-results.ts';
import type { WeakHits } from './weak-hits.ts';
import { searchTexts } from './texts.ts';

const Preview = lazyView(async () => (await import('../entry/preview.tsx')).Preview, { isSoon: true });
const NONE: readonly Hit[] = [];

/** The selected hit: the last chosen one, or the first if that is not in the list. */
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
    // From the focus, not the rendered state: keys come faster than renders. From outside the list the first step goes to the selected hit, not
    // past it.
    const focused = hits.findIndex((hit) => hitLink(hit.entry.id) === document.activeElement?.id);
    if (focused === 0 && by < 0) return focusSearch();
    goTo(focused < 0 ? index : focused + by);
  };
  /** Moves to the hit after a removed one, else to the one before it. */
  const leave = (id: string): void => {
    const at = hits.findIndex((hit) => hit.entry.id === id);
    if (hits.length > (at < 0 ? 0 : 1)) goTo(at < 0 ? index : at + 1 < hits.length ? at + 1 : at - 1);
    else document.querySelector<HTMLElement>('#main')?.focus();
  };
  return { selected: hits[index], select, step, goTo, leave };
}

/** Words of the hits that the server matched in a way that the page cannot: `kubernetes` for `k8s`. Known only if it explains. */
const matchedWords = (hits: readonly Hit[]): string[] =>
  hits.flatMap(({ explanation }) => explanation?.keyword?.terms.map(({ matched }) => matched) ?? []);

interface ResultsProps {
  readonly address: Address;
  readonly results: ReturnType<typeof useResults>;
  readonly weak: WeakHits | undefined;
  readonly body: { current: Body };
}

/** The results for the typed query: list and preview. */
export function Results({ address, results, weak, body }: ResultsProps) {
  const hits = weak?.isFolded === true ? NONE : results.hits;
  // Archived entries have no details to open.
  const live = useMemo(() => hits.filter(({ archived }) => archived === undefined), [hits]);
  const marker = useMemo(() => markerFor(results.query, matchedWords(hits)), [results.query, hits]);
  const { selected, select, step, goTo, leave } = useSelection(hits);
  const open = (id: string): void => {
    const hit = hits.find(({ entry }) => entry.id === id);
    if (hit?.archived !== undefined) return select(id);
    markUsed(id);
    go({ id });
  };
  const openSelected = (): void => {
    if (selected !== undefined && !results.loading) open(selected.entry.id);
  };
  useLayoutEffect(() => {
    body.current = { down: () => step(0), enter: openSelected };
    return () => {
      body.current = {};
    };
  });
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
  const { total, hasMore, loading, more } = results;
  useRegisterEntryList({
    hits: live,
    total,
    isCut: total === undefined && hasMore,
    more: hasMore && !loading ? more : undefined,
    marker,
    leave,
  });
  // After closing, the list selects the memory shown last in the details.
  useEffect(() => {
    if (address.id !== '') select(address.id);
  }, [address.id]);
  return (
    <div class={hits.length > 0 ? 'split' : 'split split--one'}>
      <ResultList results={results} weak={weak} address={address} marker={marker} selected={selected} onSelect={select} onOpen={open} />
      {selected !== undefined && (
        <aside class="pane pane--side" aria-label={searchTexts.preview}>
          <Preview hit={selected} marker={marker} onOpen={openSelected} onForgotten={() => leave(selected.entry.id)} />
        </aside>
      )}
    </div>
  );
}
