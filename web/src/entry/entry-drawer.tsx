import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError, entry as load } from '../api/client.ts';
import type { Hit, Memory } from '../api/forms.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Icon } from '../parts/icon.tsx';
import { Failure, Skeleton, State } from '../parts/state.tsx';
import { Tags } from '../parts/tags.tsx';
import type { Marker } from '../search/marker.ts';
import { WhyThisResult } from '../search/score.tsx';
import { scoredOf, type Scored } from '../search/scored.ts';
import { texts } from '../texts.ts';
import { EntryActions } from './entry-actions.tsx';
import { EntryFacts } from './entry-facts.tsx';
import { MemoryText } from './memory-text.tsx';

interface EntryDrawerProps {
  readonly id: string;
  readonly hits: readonly Hit[];
  readonly marker: Marker;
  readonly onClose: () => void;
  readonly onGo: (id: string) => void;
}

/** The entry with this id: the one in the list, or fetched where the list does not hold it. */
function useEntry(id: string, known: Memory | undefined) {
  const [fetched, setFetched] = useState<Memory>();
  const [error, setError] = useState<ApiError>();
  const [attempt, setAttempt] = useState(0);
  const missing = known === undefined;
  useEffect(() => {
    setError(undefined);
    if (!missing) return;
    const leaving = new AbortController();
    load(id, leaving.signal).then(setFetched, (failure: unknown) => {
      if (leaving.signal.aborted) return;
      if (!(failure instanceof ApiError)) throw failure;
      setError(failure);
    });
    return () => leaving.abort();
  }, [id, missing, attempt]);
  const memory = known ?? (fetched?.id === id ? fetched : undefined);
  return { memory, error, again: () => setAttempt((before) => before + 1) };
}

/** The details of one memory, over the page. Arrow keys and j/k go through the results. */
export function EntryDrawer({ id, hits, marker, onClose, onGo }: EntryDrawerProps) {
  const place = hits.findIndex((hit) => hit.entry.id === id);
  const hit = hits[place];
  const { memory, error, again } = useEntry(id, hit?.entry);
  // Keys come faster than renders: each goes on from where the last one led.
  const at = useRef(place);
  at.current = place;
  const step = (by: number): void => {
    const to = at.current < 0 ? undefined : hits[at.current + by];
    if (to === undefined) return;
    at.current += by;
    onGo(to.entry.id);
  };
  const pressed = (event: KeyboardEvent): void => {
    if (event.metaKey || event.ctrlKey || event.altKey) return;
    if (event.key === 'j' || event.key === 'ArrowRight') step(1);
    else if (event.key === 'k' || event.key === 'ArrowLeft') step(-1);
  };
  return (
    <Dialog class="drawer" labelledBy="details-title" onClose={onClose} onKey={pressed}>
      <header class="drawer-h">
        <h2 class="sr" id="details-title">
          {texts.details.title}
        </h2>
        <button type="button" class="icon-btn" aria-label={texts.close} title={texts.close} onClick={onClose}>
          <Icon name="x" />
        </button>
        {place >= 0 && <Steps place={place} of={hits.length} onStep={step} />}
        <span class="grow" />
        {memory !== undefined && <EntryActions memory={memory} words onForgotten={onClose} />}
      </header>
      {memory === undefined ? (
        <Missing error={error} onRetry={again} />
      ) : (
        <Details memory={memory} scored={hit === undefined ? undefined : scoredOf(hit)} marker={marker} />
      )}
    </Dialog>
  );
}

function Steps({ place, of, onStep }: { place: number; of: number; onStep: (by: number) => void }) {
  return (
    <>
      <button type="button" class="icon-btn" aria-label={texts.details.before} disabled={place === 0} onClick={() => onStep(-1)}>
        <Icon name="up" />
      </button>
      <button type="button" class="icon-btn" aria-label={texts.details.after} disabled={place === of - 1} onClick={() => onStep(1)}>
        <Icon name="down" />
      </button>
      <span class="count">{texts.details.place(place + 1, of)}</span>
    </>
  );
}

interface DetailsProps extends Pick<EntryDrawerProps, 'marker'> {
  readonly memory: Memory;
  readonly scored: Scored | undefined;
}

function Details({ memory, scored, marker }: DetailsProps) {
  const { tags } = memory.metadata;
  return (
    <div class="drawer-b">
      <div class="drawer-main">
        <MemoryText key={memory.id} text={memory.content} marker={marker} />
        {scored !== undefined && <WhyThisResult hit={scored} content={memory.content} />}
      </div>
      <aside class="drawer-side" aria-label={texts.details.facts}>
        <EntryFacts memory={memory} />
        {tags.length > 0 && (
          <section aria-labelledby="details-tags">
            <h3 class="sec-h" id="details-tags">
              {texts.tags.label}
            </h3>
            <Tags tags={tags} marker={marker} />
          </section>
        )}
      </aside>
    </div>
  );
}

function Missing({ error, onRetry }: { error: ApiError | undefined; onRetry: () => void }) {
  if (error === undefined) return <Skeleton />;
  if (error.status === 404) return <State icon="search" title={texts.details.gone} text={texts.details.goneText} />;
  return <Failure error={error} title={texts.details.failed} onRetry={onRetry} />;
}
