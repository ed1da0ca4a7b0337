import { useState } from 'preact/hooks';
import { compact, type CompactReport } from '../api/administration.ts';
import { bringBack } from '../api/forgetting.ts';
import { attempt } from '../parts/attempt.ts';
import { ago } from '../parts/formats.ts';
import { Icon } from '../parts/icon.tsx';
import { toast } from '../parts/toasts.tsx';
import { useServer } from '../shell/server.tsx';
import { Words } from '../parts/words.tsx';
import { texts } from '../texts.ts';
import { dataTexts } from './data-texts.ts';
import { adminTexts } from './texts.ts';
import { CompactionPlan } from './compaction-plan.tsx';
import { focusHeading } from './parts.ts';
import { Refused } from './refused.tsx';
import { scheduleInWords } from './schedule.ts';
import type { Overview } from './overview.ts';

const words = adminTexts.compaction;
const HEADING = 'compaction-title';

/** What compaction would archive and why, with a button that runs it. */
export function CompactionCard({ overview }: { overview: Overview }) {
  return (
    <section class="card" aria-labelledby={HEADING}>
      <header class="card-h">
        <h3 id={HEADING} tabIndex={-1}>
          {words.title}
        </h3>
      </header>
      <p class="ink2 small">
        {words.lead} <Words text={scheduleOf(overview)} /> {lastOf(overview)}
      </p>
      {overview.mayWrite ? <Steps /> : <Refused write />}
    </section>
  );
}

function scheduleOf({ settings }: Overview): string {
  const valueOf = (key: string): unknown => settings?.settings.find((one) => one.key === key)?.value;
  const schedule = valueOf('compaction.schedule');
  if (valueOf('compaction.enabled') === false) return words.off;
  return typeof schedule === 'string' ? words.schedule(scheduleInWords(schedule)) : '';
}

function lastOf({ health: { lastCompaction }, boundTo }: Overview): string {
  if (lastCompaction !== undefined) {
    return words.last(ago(lastCompaction.at) ?? dataTexts.backup.justNow, lastCompaction.archived);
  }
  return boundTo === undefined ? words.never : '';
}

function Steps() {
  const { plan, busy, look, run } = useCompaction();
  const isWorth = plan !== undefined && (plan.archived > 0 || plan.purged > 0);
  return (
    <>
      <div role="status">{plan !== undefined && <CompactionPlan plan={plan} />}</div>
      <div class="row row--wrap">
        {isWorth && (
          <button type="button" class="btn btn--primary" disabled={busy !== undefined} onClick={run}>
            <Icon name="archive" />
            {busy === 'archiving' ? words.working : plan.archived > 0 ? words.run(plan.archived) : words.runPurge}
          </button>
        )}
        <button type="button" class={isWorth ? 'btn btn--quiet' : 'btn'} disabled={busy !== undefined} onClick={look}>
          {busy === 'looking' ? words.looking : words.look}
        </button>
      </div>
    </>
  );
}

function useCompaction() {
  const { changed } = useServer();
  const [plan, setPlan] = useState<CompactReport>();
  const [busy, setBusy] = useState<'looking' | 'archiving'>();
  const takeBack = async (run: string): Promise<void> => {
    await attempt(async () => toast(texts.archive.restored(await bringBack(run)), { icon: 'restore' }), texts.archive.notRestored);
    changed();
  };
  const work = async (dryRun: boolean): Promise<void> => {
    setBusy(dryRun ? 'looking' : 'archiving');
    await attempt(async () => {
      const report = await compact(dryRun);
      setPlan(dryRun ? report : undefined);
      if (dryRun) return;
      toast(words.done(report.archived), { icon: 'archive', ...(report.archived > 0 && { undo: () => void takeBack(report.run) }) });
      changed();
    }, words.failed);
    setBusy(undefined);
  };
  return {
    plan,
    busy,
    look: () => void work(true),
    run: () => {
      // The button disappears with the plan.
      focusHeading(HEADING);
      void work(false);
    },
  };
}
