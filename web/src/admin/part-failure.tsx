import type { ApiError } from '../api/client.ts';
import { Failure } from '../parts/state.tsx';
import { adminTexts } from './texts.ts';
import { Refused } from './refused.tsx';

const FORBIDDEN = 403;

/** Why one section is not shown, while the others are. */
export function PartFailure({ error, onRetry }: { error: ApiError; onRetry: () => void }) {
  if (error.status === FORBIDDEN) return <Refused />;
  // The top of the page says what to do; once is enough.
  if (error.offline) return <p class="dim small">{error.message}</p>;
  return (
    <div class="box">
      <Failure error={error} title={adminTexts.failed} onRetry={onRetry} />
    </div>
  );
}
