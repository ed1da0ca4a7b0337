import { go, START, useAddress } from '../address.ts';
import type { ApiError } from '../api/client.ts';
import { Failure, State } from '../parts/state.tsx';
import { useServer } from '../shell/server.tsx';
import { texts } from '../texts.ts';
import { graphTexts } from './texts.ts';
import { entryTexts } from '../entry/texts.ts';
import { Button } from '../parts/button.tsx';

/** No relations exist: explains how they are created and links to actions. */
export function NoRelations() {
  const { ns, seed } = useAddress();
  const { mayWrite } = useServer();
  const title = seed !== '' ? graphTexts.alone : ns === '' ? graphTexts.none : graphTexts.noneIn(ns);
  return (
    <State icon="graph" title={title} text={graphTexts.noneText}>
      <div class="row row--wrap">
        {(seed !== '' || ns !== '') && <Button look="primary" label={graphTexts.wholeGraph} onClick={() => go({ seed: '', ns: '' })} />}
        {seed === '' && mayWrite && <Button icon="plus" label={texts.views.save} onClick={() => go({ ...START, view: 'save' })} />}
      </div>
    </State>
  );
}

/** Why there is no graph. A deleted memory at its center is no server error. */
export function GraphFailure({ error, onRetry }: { error: ApiError; onRetry: () => void }) {
  if (error.status !== 404) return <Failure error={error} title={graphTexts.failed} onRetry={onRetry} />;
  return (
    <State icon="graph" title={entryTexts.details.gone} text={entryTexts.details.goneText}>
      <Button look="primary" label={graphTexts.wholeGraph} onClick={() => go({ seed: '' })} />
    </State>
  );
}

export function FilteredOut() {
  return (
    <div class="g-notice" role="status">
      <h2>{graphTexts.filteredOut}</h2>
      <p>{graphTexts.filteredOutText}</p>
      <Button label={graphTexts.reset} onClick={() => go({ hide: [], strength: undefined })} />
    </div>
  );
}

const DOTS = [
  [120, 130, 9],
  [210, 90, 6],
  [230, 180, 11],
  [320, 140, 6],
  [390, 220, 8],
  [470, 130, 6],
  [300, 260, 6],
  [170, 250, 7],
] as const;

export function GraphSkeleton() {
  return (
    <>
      <p class="sr" role="status">
        {texts.loading}
      </p>
      <svg class="skel g-skel" viewBox="0 0 600 340" aria-hidden="true">
        <path d="M120 130 210 90 230 180 120 130M230 180 320 140 390 220M320 140 470 130M230 180 170 250M230 180 300 260" />
        {DOTS.map(([x, y, r]) => (
          <circle key={x} cx={x} cy={y} r={r} />
        ))}
      </svg>
    </>
  );
}
