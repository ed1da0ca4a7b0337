import { useEffect, useState } from 'preact/hooks';
import { archive, type ArchiveResponse, type ArchiveReason } from '../api/administration.ts';
import { go, useAddress } from '../address.ts';
import { pageOf, pageText, Paging } from '../parts/paging.tsx';
import { Select } from '../parts/select.tsx';
import { State } from '../parts/state.tsx';
import { texts } from '../texts.ts';
import { adminTexts } from './texts.ts';
import { ArchiveTable } from './archive-table.tsx';
import { CompactionCard, ARCHIVE_REASONS } from './compaction-card.tsx';
import { focusHeading } from './parts.ts';
import { Section, PartFailure } from './section.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { useRestoring } from './use-restoring.ts';
import { Button } from '../parts/button.tsx';
import type { Overview } from './use-overview.ts';

const words = adminTexts.archive;
const PAGE = 10;
const HEADING = 'archive-title';

interface Asked {
  readonly reason: ArchiveReason | '';
  readonly run: string;
  readonly page: number;
}

/** The part of the archive that the address selects. */
function useAsked(): Asked {
  const { reason, run, page } = useAddress();
  return {
    reason: ARCHIVE_REASONS.find((one) => one === reason) ?? '',
    run,
    page: pageOf(page),
  };
}

interface FoundProps {
  readonly asked: Asked;
  readonly answer: ArchiveResponse;
}

async function load(asked: Asked, signal: AbortSignal): Promise<FoundProps> {
  const { reason, run, page } = asked;
  return { asked, answer: await archive({ reason, run, limit: PAGE, offset: page * PAGE }, signal) };
}

/** The archive, page by page, with restore; and the actions that archive entries. */
export function ArchiveSection({ overview }: { overview: Overview }) {
  const asked = useAsked();
  const { value, last, error, again } = useLoaded((signal) => load(asked, signal), { about: JSON.stringify(asked) });
  const isEmptied = value !== undefined && value.answer.entries.length === 0 && value.answer.total > 0;
  // All entries of the last page may have been restored.
  useEffect(() => {
    if (isEmptied) go({ page: pageText(Math.max(0, Math.ceil(value.answer.total / PAGE) - 1)) }, { replace: true });
  }, [isEmptied]);
  // The old page stays visible until the new one is loaded, but not if loading fails.
  const found = error === undefined ? last : value;
  const isBare = error === undefined && asked.reason === '' && asked.run === '' && (found === undefined || found.answer.total === 0);
  return (
    <Section part="archive" folded={!isBare ? undefined : found === undefined ? '' : words.none}>
      <p class="note">{words.lead}</p>
      {error !== undefined && <PartFailure error={error} onRetry={again} />}
      {found !== undefined && <Page {...found} mayWrite={overview.mayWrite} />}
      <CompactionCard overview={overview} />
    </Section>
  );
}

function Page({ asked, answer, mayWrite }: FoundProps & { mayWrite: boolean }) {
  const isWhole = asked.reason === '' && asked.run === '';
  return (
    <>
      {(!isWhole || answer.total > 0) && <Found asked={asked} answer={answer} mayWrite={mayWrite} />}
      {answer.total === 0 && (
        <div class="box">
          <State icon="archive" title={isWhole ? words.empty : words.noneOfReason} text={isWhole ? words.emptyText : words.noneText} />
        </div>
      )}
    </>
  );
}

function Found({ asked, answer, mayWrite }: FoundProps & { mayWrite: boolean }) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const { isRestoring, restoreIds, restoreRun } = useRestoring();
  // The button disappears with the entries that it restores.
  const restoreTogether = (restore: () => void): void => {
    focusHeading(HEADING);
    restore();
  };
  const shown = answer.entries.map(({ entry }) => entry.id);
  const chosen = shown.filter((id) => selected.has(id));
  return (
    <>
      <div class="row row--wrap archivebar">
        {asked.run === '' ? <ReasonFilter reason={asked.reason} /> : <RunFilter total={answer.total} />}
        <span class="grow" />
        {mayWrite && asked.run !== '' && chosen.length === 0 && answer.total > 0 && (
          <Button
            icon="restore"
            label={words.restoreRun(answer.total)}
            disabled={isRestoring}
            onClick={() => restoreTogether(() => restoreRun(asked.run))}
          />
        )}
        {mayWrite && chosen.length > 0 && (
          <Button
            icon="restore"
            label={words.restoreSelected(chosen.length)}
            disabled={isRestoring}
            onClick={() => restoreTogether(() => restoreIds(chosen))}
          />
        )}
      </div>
      {answer.entries.length > 0 && (
        <ArchiveTable
          entries={answer.entries}
          mayWrite={mayWrite}
          isBusy={isRestoring}
          selected={selected}
          onSelect={setSelected}
          onRestore={(id) => (answer.entries.length === 1 ? restoreTogether(() => restoreIds([id])) : restoreIds([id]))}
        />
      )}
      <Paging {...answer} size={PAGE} words={words} onPage={(page) => go({ page: pageText(page) }, { replace: true })} />
    </>
  );
}

function ReasonFilter({ reason }: { reason: ArchiveReason | '' }) {
  return (
    <Select
      aria-label={words.reason}
      value={reason}
      options={[
        { value: '', label: words.allReasons },
        ...ARCHIVE_REASONS.map((value) => ({ value, label: texts.archive.reasons[value] })),
      ]}
      onChoose={(chosen) => go({ reason: chosen, page: '' }, { replace: true })}
    />
  );
}

function RunFilter({ total }: { total: number }) {
  const leave = (): void => {
    focusHeading(HEADING);
    go({ run: '', page: '' });
  };
  return (
    <>
      <span class="small">{words.ofRun(total)}</span>
      <Button look="quiet sm" label={words.leaveRun} onClick={leave} />
    </>
  );
}
