import { go, isFiltered, NO_FILTER, type Filter } from '../address.ts';
import type { ApiError } from '../api/client.ts';
import { Icon } from '../parts/icon.tsx';
import { Link } from '../parts/link.tsx';
import { Failure, Skeleton, State } from '../parts/state.tsx';
import { useLate } from '../parts/use-late.ts';
import { useServer } from '../shell/server.tsx';
import { browseTexts } from './texts.ts';

interface NothingProps {
  readonly filter: Filter;
  readonly isLoading: boolean;
  readonly error: ApiError | undefined;
  readonly onRetry: () => void;
}

/** Why there is nothing to browse: not yet, not any more, or not under these filters. */
export function NothingToBrowse({ filter, isLoading, error, onRetry }: NothingProps) {
  const late = useLate();
  const { mayWrite } = useServer();
  const words = browseTexts;
  if (error !== undefined) return <Failure error={error} title={words.failed} onRetry={onRetry} />;
  if (isLoading) return late ? <Skeleton /> : null;
  if (!isFiltered(filter)) {
    return (
      <State icon="list" title={words.empty.title} text={words.empty.text}>
        {mayWrite && (
          <Link to={{ view: 'save' }} class="btn btn--primary">
            <Icon name="plus" />
            {words.empty.save}
          </Link>
        )}
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
