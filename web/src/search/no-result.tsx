import { useEffect, useState } from 'preact/hooks';
import { filterOf, go, isFiltered, NO_FILTER, type Address } from '../address.ts';
import { list, search } from '../api/client.ts';
import { KINDS, type KindName } from '../filters/kinds.tsx';
import { State } from '../parts/state.tsx';
import { useScope } from '../shell/server.tsx';
import { searchTexts } from './texts.ts';
import { filterTexts } from '../filters/texts.ts';

/** So many are told apart; above that it says that there are more. */
const COUNTED = 100;

/** What is looked at, in words: `namespace home, tag webhooks, priority High`. */
function wordsOf(address: Address): string {
  const filter = filterOf(address);
  const tags = filter.tags.map((tag) => filterTexts.tagNamed(tag));
  const others = (Object.keys(KINDS) as KindName[]).flatMap((name) => {
    const shown = KINDS[name].shown(filter);
    return shown === undefined ? [] : [`${KINDS[name].label.toLowerCase()} ${shown}`];
  });
  return [...others, ...tags].join(', ');
}

/** How many there would be without the filters; undefined where that is not known (yet), or where none is set. */
function useUnfiltered(address: Address): number | undefined {
  const { q, mode } = address;
  const query = q.trim();
  const filtered = isFiltered(filterOf(address));
  const all = useScope(NO_FILTER);
  const [known, setKnown] = useState<{ readonly of: string; readonly count: number }>();
  const of = JSON.stringify([query, mode, all?.ns]);
  useEffect(() => {
    if (!filtered || all === undefined) return;
    const leaving = new AbortController();
    const asked =
      query === ''
        ? list({ filter: all, limit: 1, offset: 0 }, leaving.signal).then(({ total }) => total)
        : search({ query, mode, limit: COUNTED, explain: false, filter: all }, leaving.signal).then(({ count }) => count);
    // It only helps: where it cannot be had, the rest is said without it.
    asked.then(
      (count) => setKnown({ of, count }),
      () => undefined,
    );
    return () => leaving.abort();
  }, [of, filtered]);
  return filtered && known?.of === of ? known.count : undefined;
}

/** Why there is nothing, and the one thing that helps. */
export function NoResult({ address }: { readonly address: Address }) {
  const query = address.q.trim();
  const filtered = isFiltered(filterOf(address));
  const unfiltered = useUnfiltered(address);
  const without = unfiltered === undefined ? '' : searchTexts.withoutFilters(unfiltered, unfiltered >= COUNTED && query !== '');
  return (
    <State
      icon="search"
      title={query === '' ? searchTexts.nothingHere : searchTexts.nothing(query)}
      text={filtered ? `${searchTexts.filteredBy(wordsOf(address))} ${without}` : searchTexts.nothingHelp[address.mode]}
    >
      <WaysOut address={address} clears={filtered && unfiltered !== 0} />
    </State>
  );
}

function WaysOut({ address: { q, mode }, clears }: { address: Address; clears: boolean }) {
  const asked = q.trim() !== '';
  return (
    <div class="row row--wrap">
      {clears && (
        <button type="button" class="btn" onClick={() => go(NO_FILTER)}>
          {filterTexts.clear}
        </button>
      )}
      {asked && mode !== 'hybrid' && (
        <button type="button" class={clears ? 'btn btn--quiet' : 'btn'} onClick={() => go({ mode: 'hybrid' }, { replace: true })}>
          {searchTexts.tryHybrid}
        </button>
      )}
      {asked && (
        <button type="button" class="btn btn--quiet" onClick={() => go({ q: '' })}>
          {searchTexts.clear}
        </button>
      )}
    </div>
  );
}
