import type { ApiError } from '../api/client.ts';
import { Failure } from '../parts/state.tsx';
import { adminTexts } from './texts.ts';
import { Refused } from './refused.tsx';

const FORBIDDEN = 403;

/** Explains why one section is not shown. */
export function PartFailure({ error, onRetry }: { error: ApiError; onRetry: () => void }) {
  if (error.status === FORBIDDEN) return <Refused />;
  // The top of the page already says what to do.
  if (error.offline) return <p class="dim small">{error.message}</p>;
  return (
    <div class="box">
      <Failure error={error} title={adminTexts.failed} onRetry={onRetry} />
    </div>
  );
}
