import { lore } from '../api/client.ts';
import { useMemo, useState } from 'preact/hooks';
import type { Relation } from '../api/entries.ts';
import type { Memory } from '../api/responses.ts';
import { Dialog } from '../parts/dialog.tsx';
import { fullMoment } from '../parts/formats.ts';
import { copy, toast, useBusy } from '../parts/toasts.tsx';
import { useServer } from '../shell/server.tsx';
import { texts } from '../texts.ts';
import { entryTexts } from './texts.ts';
import { changesOf, type Change } from './changes.ts';
import { withoutTurns } from '../parts/plain-text.ts';
import { DetailSection } from './detail-section.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { Button, IconButton } from '../parts/button.tsx';
import { actionTexts } from './action-texts.ts';

const SHOWN = 8;
const HEADING = 'details-history';

interface HistoryListProps {
  readonly memory: Memory;
  readonly relations: readonly Relation[];
  /** The memories at the other ends of the relations. */
  readonly others: ReadonlyMap<string, Memory> | undefined;
}

export function HistoryList({ memory, relations, others }: HistoryListProps) {
  const { id } = memory;
  const { value, error, again } = useLoaded((signal) => lore.lifecycle.history(id, { signal }), { about: id });
  const versions = value?.versions;
  const { mayWrite } = useServer();
  const [all, setAll] = useState(false);
  const [shown, setShown] = useState<Change>();
  const changes = useMemo(() => changesOf(memory, versions ?? [], { id, relations, others }), [memory, versions, relations, others]);
  if (versions === undefined && error === undefined) return null;
  const listed = all || changes.length <= SHOWN + 1 ? changes : changes.slice(0, SHOWN);
  return (
    <DetailSection id={HEADING} title={entryTexts.history} error={versions === undefined ? error : undefined} onRetry={again}>
      <ol class="hist">
        {listed.map((change, at) => (
          <HistoryLine key={`${change.at} ${at}`} change={change} onShow={() => setShown(change)} />
        ))}
      </ol>
      {listed.length < changes.length && <Button look="sm" label={entryTexts.wholeHistory(changes.length)} onClick={() => setAll(true)} />}
      {mayWrite && (versions?.length ?? 0) > 0 && <TakeBack id={id} />}
      {shown !== undefined && <Before change={shown} onClose={() => setShown(undefined)} />}
    </DetailSection>
  );
}

function HistoryLine({ change, onShow }: { change: Change; onShow: () => void }) {
  return (
    <li>
      {change.what.map((words) => (
        <span key={words} class="hist-what">
          {words}
        </span>
      ))}
      <time class="hint" dateTime={change.at}>
        {fullMoment(change.at)} · {change.by}
      </time>
      {change.before !== undefined && (
        <button type="button" class="hist-show" onClick={onShow}>
          {entryTexts.showBefore}
        </button>
      )}
    </li>
  );
}

function TakeBack({ id }: { id: string }) {
  const { changed } = useServer();
  const { isBusy, during } = useBusy();
  const work = async (): Promise<void> => {
    await lore.lifecycle.undo(id);
    toast(entryTexts.takenBack, { icon: 'restore' });
    changed();
  };
  const act = (): void => void (isBusy || during(work, entryTexts.notTakenBack));
  return <Button look="sm" class="hist-undo" icon="restore" label={entryTexts.takeBack} aria-disabled={isBusy} onClick={act} />;
}

function Before({ change: { at, before = '' }, onClose }: { change: Change; onClose: () => void }) {
  return (
    <Dialog class="modal before" labelledBy="before-title" onClose={onClose}>
      <header class="row before-h">
        <h2 id="before-title" class="grow">
          {entryTexts.before(fullMoment(at))}
        </h2>
        <Button look="quiet sm" icon="copy" label={actionTexts.copyText} onClick={() => void copy(before, actionTexts.textCopied)} />
        <IconButton icon="x" label={texts.close} onClick={onClose} />
      </header>
      <div class="before-b prose" tabIndex={0} role="region" aria-labelledby="before-title">
        <p class="plain">{withoutTurns(before)}</p>
      </div>
    </Dialog>
  );
}
