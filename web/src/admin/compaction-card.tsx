import { useState } from 'preact/hooks';
import type { CompactReport, ArchiveReason } from '../api/administration.ts';
import { lore } from '../api/client.ts';
import { restoreRun } from '../api/forgetting.ts';
import { ago, count } from '../parts/formats.ts';
import { toast, attempt } from '../parts/toasts.tsx';
import { useServer } from '../shell/server.tsx';
import { Paragraph, InlineText } from '../parts/inline-text.tsx';
import { texts } from '../texts.ts';
import { dataTexts } from './data-texts.ts';
import { adminTexts } from './texts.ts';
import { focusHeading } from './parts.ts';
import { TableBox } from '../parts/table-box.tsx';
import { scheduleInWords } from './schedule.ts';
import { Link } from '../parts/link.tsx';
import { Button } from '../parts/button.tsx';
import { Refused } from './section.tsx';
import type { Overview } from './use-overview.ts';

const words = adminTexts.compaction;
const HEADING = 'compaction-title';

/** What compaction would archive and why, with a button that runs it. */
export function CompactionCard({ overview }: { overview: Overview }) {
  return (
    <section class="card" aria-labelledby={HEADING}>
      <header class="row row--wrap card-h">
        <h3 id={HEADING} tabIndex={-1}>
          {words.title}
        </h3>
      </header>
      <p class="ink2 small">
        {words.lead} <InlineText text={scheduleOf(overview)} /> {lastOf(overview)}
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
          <Button
            look="primary"
            icon="archive"
            label={busy === 'archiving' ? words.working : plan.archived > 0 ? words.run(plan.archived) : words.runPurge}
            disabled={busy !== undefined}
            onClick={run}
          />
        )}
        <Button
          look={isWorth ? 'quiet' : undefined}
          label={busy === 'looking' ? words.looking : words.look}
          disabled={busy !== undefined}
          onClick={look}
        />
      </div>
    </>
  );
}

function useCompaction() {
  const { changed } = useServer();
  const [plan, setPlan] = useState<CompactReport>();
  const [busy, setBusy] = useState<'looking' | 'archiving'>();
  const takeBack = async (run: string): Promise<void> => {
    await attempt(async () => toast(texts.archive.restored(await restoreRun(run)), { icon: 'restore' }), texts.archive.notRestored);
    changed();
  };
  const work = async (dryRun: boolean): Promise<void> => {
    setBusy(dryRun ? 'looking' : 'archiving');
    await attempt(async () => {
      const report = await lore.lifecycle.compact({ dryRun });
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

const SHOWN = 20;

/** The entries that a compaction would archive, with reasons. */
function CompactionPlan({ plan }: { plan: CompactReport }) {
  const { looked, archived, byReason, purged } = plan;
  if (archived === 0 && purged === 0) return <p class="small">{words.nothing(looked)}</p>;
  return (
    <div class="stack small-gap small">
      <p>{words.would(archived, looked)}</p>
      <ul class="chips dim">
        {ARCHIVE_REASONS.filter((reason) => byReason[reason] > 0).map((reason) => (
          <li key={reason}>
            {texts.archive.reasons[reason]} <span class="num">{count(byReason[reason])}</span>
          </li>
        ))}
      </ul>
      {purged > 0 && <Paragraph text={words.purged(purged)} />}
      {plan.items.length > 0 && <Items plan={plan} />}
    </div>
  );
}

function Items({ plan: { items, archived } }: { plan: CompactReport }) {
  const [shown, setShown] = useState(SHOWN);
  return (
    <>
      <TableBox
        class="stacks table--plain"
        box="box plan"
        label={words.table}
        columns={[adminTexts.archive.memory, adminTexts.archive.namespace, adminTexts.archive.why]}
      >
        {items.slice(0, shown).map(({ id, namespace, why, preview, survivor }) => (
          <tr key={id}>
            <td class="breaks">
              <Link to={{ view: 'admin', part: 'archive', id }} class="under">
                {preview}
              </Link>
            </td>
            <td class="ns-c">{namespace}</td>
            <td>
              <span class="ink2">{why} </span>
              {survivor !== undefined && (
                <Link to={{ view: 'admin', part: 'archive', id: survivor }} class="linked">
                  {words.survivor}
                </Link>
              )}
            </td>
          </tr>
        ))}
      </TableBox>
      {items.length > shown ? (
        <div>
          <Button look="quiet sm" label={words.more(items.length - shown)} onClick={() => setShown(items.length)} />
        </div>
      ) : (
        archived > items.length && <p class="dim">{words.rest(archived - items.length)}</p>
      )}
    </>
  );
}

/** Archive reasons in the order of the filter. */
export const ARCHIVE_REASONS = Object.keys(texts.archive.reasons) as readonly ArchiveReason[];
