import { useEffect, useState } from 'preact/hooks';
import { chooseOptions, filterOf, go, isFiltered, NO_FILTER, type Address } from '../address.ts';
import { search } from '../api/client.ts';
import { KINDS, type KindName } from '../filters/kinds.ts';
import { Link } from '../parts/link.tsx';
import { State } from '../parts/state.tsx';
import { useScope, useServer } from '../shell/server.tsx';
import { resultTexts } from './result-texts.ts';
import { searchTexts } from './texts.ts';
import { isRelevant, type WeakHits } from './weak-hits.ts';
import { filterTexts } from '../filters/texts.ts';
import { Button } from '../parts/button.tsx';

/** Up to this number results are counted exactly. */
const COUNTED = 100;

/** Description of the filters: `namespace home, tag webhooks, priority High`. */
function wordsOf(address: Address): string {
  const filter = filterOf(address);
  const tags = filter.tags.map((tag) => filterTexts.tagNamed(tag));
  const others = (Object.keys(KINDS) as KindName[]).flatMap((name) => {
    const shown = KINDS[name].shown(filter);
    return shown === undefined ? [] : [`${KINDS[name].label.toLowerCase()} ${shown}`];
  });
  return [...others, ...tags].join(', ');
}

/** Number of results without the filters; undefined if unknown or if no filter is set. */
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
    const asked = search({ query, mode, limit: COUNTED, explain: true, filter: all }, leaving.signal);
    // Optional: if it fails, the rest is shown without it.
    asked.then(
      ({ results }) => setKnown({ of, count: results.filter(isRelevant).length }),
      () => undefined,
    );
    return () => leaving.abort();
  }, [of, filtered]);
  return filtered && known?.of === of ? known.count : undefined;
}

interface NoResultProps {
  readonly address: Address;
  /** There are hits, but none is relevant. */
  readonly weak?: WeakHits | undefined;
}

/** Explains why there are no results and what helps. */
export function NoResult({ address, weak }: NoResultProps) {
  const query = address.q.trim();
  const filtered = isFiltered(filterOf(address));
  const unfiltered = useUnfiltered(address);
  const without = unfiltered === undefined ? '' : resultTexts.withoutFilters(unfiltered, unfiltered >= COUNTED);
  return (
    <State
      icon="search"
      title={weak === undefined ? resultTexts.nothing(query) : resultTexts.weak.title(query)}
      text={
        filtered
          ? `${resultTexts.filteredBy(wordsOf(address))} ${without}`
          : weak === undefined
            ? resultTexts.nothingHelp[address.mode]
            : resultTexts.weak.text
      }
    >
      <WaysOut address={address} clears={filtered && unfiltered !== 0} weak={weak} />
    </State>
  );
}

function WaysOut({ address: { q, mode }, clears, weak }: NoResultProps & { readonly clears: boolean }) {
  const { mayWrite } = useServer();
  return (
    <div class="row row--wrap">
      {weak !== undefined && <Button label={resultTexts.weak.show(weak.count)} onClick={weak.unfold} />}
      {mayWrite && (
        <Link class="btn" to={{ view: 'save', q: q.trim() }}>
          {resultTexts.weak.save}
        </Link>
      )}
      {clears && <Button label={filterTexts.clear} onClick={() => go(NO_FILTER)} />}
      {mode !== 'hybrid' && (
        <Button look={clears ? 'quiet' : undefined} label={resultTexts.tryHybrid} onClick={() => chooseOptions({ mode: 'hybrid' })} />
      )}
      <Button look="quiet" label={searchTexts.clear} onClick={() => go({ q: '' })} />
    </div>
  );
}
