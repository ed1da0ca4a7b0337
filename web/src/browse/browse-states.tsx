import { useEffect, useState } from 'preact/hooks';
import { go, isFiltered, NO_FILTER, type Filter } from '../address.ts';
import type { ApiError } from '../api/client.ts';
import { Icon } from '../parts/icon.tsx';
import { Link } from '../parts/link.tsx';
import { Failure, Skeleton, State } from '../parts/state.tsx';
import { texts } from '../texts.ts';

const PATIENCE_MS = 300;

interface NothingProps {
  readonly filter: Filter;
  readonly isLoading: boolean;
  readonly error: ApiError | undefined;
  readonly onRetry: () => void;
}

/** Why there is nothing to browse: not yet, not any more, or not under these filters. */
export function NothingToBrowse({ filter, isLoading, error, onRetry }: NothingProps) {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  const words = texts.browse;
  if (error !== undefined) return <Failure error={error} title={words.failed} onRetry={onRetry} />;
  if (isLoading) return late ? <Skeleton /> : null;
  if (!isFiltered(filter)) {
    return (
      <State icon="list" title={words.empty.title} text={words.empty.text}>
        <Link to={{ view: 'save' }} class="btn btn--primary">
          <Icon name="plus" />
          {words.empty.save}
        </Link>
      </State>
    );
  }
  return (
    <State icon="filter" title={words.nothing.title} text={words.nothing.text}>
      <button type="button" class="btn" onClick={() => go(NO_FILTER)}>
        {words.nothing.clear}
      </button>
    </State>
  );
}

/** Over a list that could not be refreshed. */
export function Stale({ error, onRetry }: { error: ApiError; onRetry: () => void }) {
  return (
    <div class="banner banner--flat" role="alert">
      <Icon name={error.offline ? 'offline' : 'warn'} />
      <div>
        <b>{error.offline ? texts.offline.title : texts.browse.failed}</b>
        <p>{error.offline ? texts.offline.stale : error.message}</p>
      </div>
      <button type="button" class="btn" onClick={onRetry}>
        {texts.tryAgain}
      </button>
    </div>
  );
}
