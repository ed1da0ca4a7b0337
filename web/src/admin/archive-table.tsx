import { useRef, useState } from 'preact/hooks';
import { go } from '../address.ts';
import type { Archived } from '../api/administration.ts';
import { fullMoment, shortDay } from '../parts/formats.ts';
import { titleOf, withoutTurns } from '../parts/plain-text.ts';
import { texts } from '../texts.ts';
import { adminTexts } from './texts.ts';
import { TableBox } from '../parts/table-box.tsx';
import { Check } from '../parts/check.tsx';
import { Button } from '../parts/button.tsx';

const words = adminTexts.archive;
/** Characters that distinguish entries in the label of a control. */
const TITLE_CHARS = 60;

interface ArchiveTableProps {
  readonly entries: readonly Archived[];
  readonly mayWrite: boolean;
  readonly isBusy: boolean;
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (selected: ReadonlySet<string>) => void;
  readonly onRestore: (id: string) => void;
}

export function ArchiveTable({ entries, mayWrite, isBusy, selected, onSelect, onRestore }: ArchiveTableProps) {
  const frame = useRef<HTMLDivElement>(null);
  const ids = entries.map(({ entry }) => entry.id);
  const areAll = ids.every((id) => selected.has(id));
  // The row disappears with its button; after the last row, the table too.
  const restore = (id: string): void => {
    frame.current?.focus({ preventScroll: true });
    onRestore(id);
  };
  const choose = (id: string, chosen: boolean): void =>
    onSelect(new Set(chosen ? [...selected, id] : [...selected].filter((one) => one !== id)));
  const all = <Check label={words.selectAll} isHidden checked={areAll} onChange={(on) => onSelect(new Set(on ? ids : []))} />;
  return (
    <TableBox
      class="stacks archive"
      frame={frame}
      label={words.table}
      columns={[...(mayWrite ? [all] : []), words.memory, words.namespace, words.why, words.when]}
      actions={mayWrite && words.action}
    >
      {entries.map((archived) => (
        <ArchiveRow
          key={archived.entry.id}
          archived={archived}
          mayWrite={mayWrite}
          isBusy={isBusy}
          isSelected={selected.has(archived.entry.id)}
          onSelect={(chosen) => choose(archived.entry.id, chosen)}
          onRestore={() => restore(archived.entry.id)}
        />
      ))}
    </TableBox>
  );
}

interface ArchiveRowProps {
  readonly archived: Archived;
  readonly mayWrite: boolean;
  readonly isBusy: boolean;
  readonly isSelected: boolean;
  readonly onSelect: (chosen: boolean) => void;
  readonly onRestore: () => void;
}

function ArchiveRow({ archived, mayWrite, isBusy, isSelected, onSelect, onRestore }: ArchiveRowProps) {
  const { entry, archivedAt, reason, run } = archived;
  const [isOpen, setIsOpen] = useState(false);
  const title = titleOf(archived.entry, TITLE_CHARS);
  return (
    <tr>
      {mayWrite && (
        <td>
          <Check label={words.select(title)} isHidden checked={isSelected} onChange={onSelect} />
        </td>
      )}
      <td class="archived">
        <button type="button" dir="auto" title={words.more} aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {withoutTurns(isOpen ? entry.content : entry.content.slice(0, 300))}
        </button>
      </td>
      <td class="ns-c">{entry.metadata.namespace}</td>
      <td>{texts.archive.reasons[reason]}</td>
      <td>
        <button
          type="button"
          class="whenrun"
          title={`${fullMoment(archivedAt)}. ${words.sameRun}`}
          onClick={() => go({ run, reason: '', page: '' })}
        >
          <time dateTime={archivedAt}>{shortDay(archivedAt)}</time>
        </button>
      </td>
      {mayWrite && (
        <td>
          <Button
            look="quiet sm"
            icon="restore"
            label={words.restore}
            aria-label={words.restoreOne(title)}
            disabled={isBusy}
            onClick={onRestore}
          />
        </td>
      )}
    </tr>
  );
}
