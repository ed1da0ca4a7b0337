import { useEffect, useState } from 'preact/hooks';
import { chooseOptions, filterOf, go, isFiltered, NO_FILTER, type Address } from '../address.ts';
import { list, search } from '../api/client.ts';
import { KINDS, type KindName } from '../filters/kinds.tsx';
import { Link } from '../parts/link.tsx';
import { State } from '../parts/state.tsx';
import { useScope, useServer } from '../shell/server.tsx';
import { searchTexts } from './texts.ts';
import { isAbout } from './scored.ts';
import type { Weak } from './result-list.tsx';
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

/** How many there would be without the filters, of a search those that are about the query; undefined where that is not known (yet), or where none is set. */
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
        : search({ query, mode, limit: COUNTED, explain: true, filter: all }, leaving.signal).then(
            ({ results }) => results.filter(isAbout).length,
          );
    // It only helps: where it cannot be had, the rest is said without it.
    asked.then(
      (count) => setKnown({ of, count }),
      () => undefined,
    );
    return () => leaving.abort();
  }, [of, filtered]);
  return filtered && known?.of === of ? known.count : undefined;
}

interface NoResultProps {
  readonly address: Address;
  /** There are hits, and none is about what was asked. */
  readonly weak?: Weak | undefined;
}

/** Why there is nothing, and what helps. */
export function NoResult({ address, weak }: NoResultProps) {
  const query = address.q.trim();
  const filtered = isFiltered(filterOf(address));
  const unfiltered = useUnfiltered(address);
  const without = unfiltered === undefined ? '' : searchTexts.withoutFilters(unfiltered, unfiltered >= COUNTED && query !== '');
  return (
    <State
      icon="search"
      title={query === '' ? searchTexts.nothingHere : weak === undefined ? searchTexts.nothing(query) : searchTexts.weak.title(query)}
      text={
        filtered
          ? `${searchTexts.filteredBy(wordsOf(address))} ${without}`
          : weak === undefined
            ? searchTexts.nothingHelp[address.mode]
            : searchTexts.weak.text
      }
    >
      <WaysOut address={address} clears={filtered && unfiltered !== 0} weak={weak} />
    </State>
  );
}

function WaysOut({ address: { q, mode }, clears, weak }: NoResultProps & { readonly clears: boolean }) {
  const { mayWrite } = useServer();
  const asked = q.trim() !== '';
  return (
    <div class="row row--wrap">
      {weak !== undefined && (
        <button type="button" class="btn" onClick={weak.unfold}>
          {searchTexts.weak.show(weak.count)}
        </button>
      )}
      {asked && mayWrite && (
        <Link class="btn" to={{ view: 'save', q: q.trim() }}>
          {searchTexts.weak.save}
        </Link>
      )}
      {clears && (
        <button type="button" class="btn" onClick={() => go(NO_FILTER)}>
          {filterTexts.clear}
        </button>
      )}
      {asked && mode !== 'hybrid' && (
        <button type="button" class={clears ? 'btn btn--quiet' : 'btn'} onClick={() => chooseOptions({ mode: 'hybrid' })}>
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
