import { useEffect, useRef, useState } from 'preact/hooks';
import { migrate, type MigrationReport } from '../api/administration.ts';
import type { HealthResponse } from '../api/responses.ts';
import { modelName } from '../parts/formats.ts';
import { toast, useBusy } from '../parts/toasts.tsx';
import { dataTexts } from './data-texts.ts';
import { focusHeading } from './parts.ts';
import { isAboutVectors } from './warnings.ts';
import { Button } from '../parts/button.tsx';
import { Refused } from './section.tsx';
import type { Overview } from './use-overview.ts';

const words = dataTexts.reembed;
const HEADING = 'reembed-title';
type Migration = NonNullable<HealthResponse['migration']>;

/** Re-embedding for the configured model: its progress, or a preview. */
export function ReembedCard({ overview: { health, mayWrite }, onBegun }: { overview: Overview; onBegun: () => void }) {
  const { migration, degraded } = health;
  const { model, next } = health.embedder;
  const wasMigrating = useRef(false);
  useEffect(() => {
    if (migration === undefined && wasMigrating.current && !degraded.some(isAboutVectors)) toast(words.finished);
    wasMigrating.current = migration !== undefined;
  }, [migration]);
  return (
    <section class="card" aria-labelledby={HEADING}>
      <header class="row row--wrap card-h">
        <h3 id={HEADING} tabIndex={-1}>
          {words.title}
        </h3>
        {migration !== undefined && <span class="dim num">{words.done(migration.done, migration.total)}</span>}
      </header>
      {migration !== undefined && <Progress migration={migration} />}
      {migration === undefined && <p class="ink2 small">{words.lead(next === undefined ? model : modelName(next))}</p>}
      {migration === undefined && (mayWrite ? <Plan onBegun={onBegun} /> : <Refused write />)}
    </section>
  );
}

function Progress({ migration }: { migration: Migration }) {
  const left = useTimeLeft(migration);
  return (
    <>
      <div class="stack small-gap">
        <progress max={migration.total} value={migration.done} aria-label={words.progress} />
        <p class="row row--between dim small">
          <span>{words.to(modelName(migration.target))}</span>
          {left !== undefined && <span class="num">{words.left(left)}</span>}
        </p>
      </div>
      <p class="dim small">{words.stopsWell}</p>
    </>
  );
}

/** Estimated milliseconds left, by the speed since this page opened. */
function useTimeLeft({ done, total }: Migration): number | undefined {
  const first = useRef({ at: performance.now(), done });
  const made = done - first.current.done;
  return made <= 0 ? undefined : ((performance.now() - first.current.at) / made) * (total - done);
}

function Plan({ onBegun }: { onBegun: () => void }) {
  const [plan, setPlan] = useState<MigrationReport>();
  const { isBusy: isAsking, during } = useBusy();
  const ask = (dryRun: boolean): Promise<boolean> =>
    during(async () => {
      const report = await migrate(dryRun);
      setPlan(dryRun || report.status === 'nothing to do' ? report : undefined);
      if (report.status === 'running') onBegun();
    }, words.notStarted);
  const start = (): void => {
    // The button disappears with the plan.
    focusHeading(HEADING);
    void ask(false);
  };
  const isNeeded = plan?.status === 'planned';
  return (
    <>
      <div role="status">{plan !== undefined && <Planned plan={plan} />}</div>
      <div class="row row--wrap">
        {isNeeded && <Button look="primary" icon="refresh" label={words.start(plan.stale)} disabled={isAsking} onClick={start} />}
        <Button look={isNeeded ? 'quiet' : undefined} label={words.look} disabled={isAsking} onClick={() => void ask(true)} />
      </div>
    </>
  );
}

function Planned({ plan: { status, target, stale, total, from } }: { plan: MigrationReport }) {
  if (status === 'nothing to do') return <p class="small">{words.nothing(modelName(target))}</p>;
  return (
    <div class="stack small-gap small">
      <p>{words.planned(stale, total)}</p>
      <ul class="dim">
        {from.map(({ embedder, entries }) => (
          <li key={embedder}>{words.from(entries, embedder === 'none' ? words.noModel : modelName(embedder))}</li>
        ))}
      </ul>
    </div>
  );
}
