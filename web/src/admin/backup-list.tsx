import { useState } from 'preact/hooks';
import { admin, type BackupResponse } from '../api/administration.ts';
import { Command } from '../parts/command.tsx';
import { count, fullMoment, size } from '../parts/formats.ts';
import { toast, attempt } from '../parts/toasts.tsx';
import { TableBox } from '../parts/table-box.tsx';
import { dataTexts } from './data-texts.ts';
import { Button } from '../parts/button.tsx';

const words = dataTexts.backup;
type Verdict = 'reading' | 'whole' | 'damaged';

export function BackupList({ backups }: { backups: readonly BackupResponse[] }) {
  const [chosen, setChosen] = useState<string>();
  const restoring = backups.find(({ name }) => name === chosen);
  return (
    <>
      <TableBox label={words.list} columns={[words.when, words.memories, words.size, words.kind]} actions={words.actions}>
        {backups.map((backup) => (
          <BackupRow key={backup.name} backup={backup} isChosen={backup.name === chosen} onRestore={setChosen} />
        ))}
      </TableBox>
      <div role="status">
        {restoring !== undefined && (
          <div class="box box--pad stack small-gap small">
            <b>{words.restoreTitle(fullMoment(restoring.createdAt))}</b>
            <p class="ink2">{words.restoreText}</p>
            <Command text={`lore backup restore ${restoring.name}`} />
          </div>
        )}
      </div>
    </>
  );
}

interface BackupRowProps {
  readonly backup: BackupResponse;
  readonly isChosen: boolean;
  readonly onRestore: (name: string | undefined) => void;
}

function BackupRow({ backup, isChosen, onRestore }: BackupRowProps) {
  const { name, createdAt, entries, bytes, kind } = backup;
  const { verdict, verify } = useVerdict(backup);
  const when = fullMoment(createdAt);
  return (
    <tr>
      <td>
        <time dateTime={createdAt}>{when}</time>
      </td>
      <td class="num">{count(entries)}</td>
      <td class="num">{size(bytes)}</td>
      <td>{words.kinds[kind]}</td>
      <td>
        <span class="rowcmd">
          {verdict === 'whole' && <span class="status">{words.whole}</span>}
          {verdict === 'damaged' && <span class="status status--bad">{words.damaged}</span>}
          <Button
            look="quiet sm"
            label={verdict === 'reading' ? words.verifying : words.verify}
            aria-label={`${words.verify}: ${when}`}
            disabled={verdict === 'reading'}
            onClick={verify}
          />
          <Button
            look="quiet sm"
            label={words.restore}
            aria-label={`${words.restore}: ${when}`}
            aria-pressed={isChosen}
            onClick={() => onRestore(isChosen ? undefined : name)}
          />
        </span>
      </td>
    </tr>
  );
}

function useVerdict({ name, createdAt }: BackupResponse): { readonly verdict: Verdict | undefined; readonly verify: () => void } {
  const [verdict, setVerdict] = useState<Verdict>();
  const read = async (): Promise<void> => {
    setVerdict('reading');
    const when = fullMoment(createdAt);
    const isRead = await attempt(async () => {
      const { whole, problems, entries } = await admin.backups.verify({ name });
      setVerdict(whole ? 'whole' : 'damaged');
      toast(whole ? words.wholeText(when, entries) : words.damagedText(when, problems.join('; ')), { bad: !whole });
    }, words.notVerified);
    if (!isRead) setVerdict(undefined);
  };
  return { verdict, verify: () => void read() };
}
