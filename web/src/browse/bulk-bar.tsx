import { useState } from 'preact/hooks';
import type { Filter } from '../address.ts';
import type { Memory } from '../api/responses.ts';
import { Icon, type IconName } from '../parts/icon.tsx';
import { toast } from '../parts/toasts.tsx';
import { keySigns, pressed } from '../shell/keys.ts';
import { lazyView } from '../shell/lazy-view.tsx';
import { useServer } from '../shell/server.tsx';
import { useShortcuts } from '../shell/shortcuts.ts';
import { bulkTexts } from './bulk-texts.ts';
import type { ChosenAction } from './bulk-actions.tsx';
import { copyJson } from '../entry/copying.ts';
import type { Selection } from './use-selection.ts';
import { Button, IconButton } from '../parts/button.tsx';

const BulkAction = lazyView(async () => (await import('./bulk-actions.tsx')).BulkAction, { isSoon: true });

interface BulkBarProps {
  readonly selection: Selection;
  readonly filter: Filter;
  readonly total: number;
  /** The loaded entries in order. */
  readonly loaded: () => readonly Memory[];
  readonly onDone: () => void;
  /** Called after its undo. */
  readonly onBack: () => void;
}

export function BulkBar({ selection, filter, total, loaded, onDone, onBack }: BulkBarProps) {
  const { mayWrite } = useServer();
  const [open, setOpen] = useState<ChosenAction>();
  const { number } = selection;
  const begin = (action: ChosenAction['action']): void => setOpen({ action, selection, filter, now: new Date() });
  const first = selection.all ? loaded().filter(({ id }) => selection.has(id)) : [...selection.memories.values()];
  const copyAll = (): void => {
    copyJson(first);
    if (first.length < number) toast(bulkTexts.onlyLoaded(first.length), { icon: 'info' });
  };
  useShortcuts(selection.isEmpty || !mayWrite ? {} : pressed({ tag: () => begin('tag') }));
  if (selection.isEmpty && open === undefined) return null;
  const words = bulkTexts;
  const done = (): void => {
    // The dialog may have been closed and another one opened meanwhile.
    setOpen((now) => (now === open ? undefined : now));
    onDone();
  };
  return (
    <>
      {!selection.isEmpty && (
        <div class="bulk" role="toolbar" aria-label={words.label(number)}>
          <b role="status">{words.selected(number)}</b>
          {number < total && <Button look="quiet" class="bulk-all" label={words.selectAll(total)} onClick={selection.addAll} />}
          {mayWrite && (
            <>
              <BarButton icon="tag" text={words.tag} shortcut={keySigns('tag')[0]?.[0]} onClick={() => begin('tag')} />
              <BarButton icon="ns" text={words.move} onClick={() => begin('move')} />
            </>
          )}
          <BarButton icon="copy" text={words.copy} onClick={copyAll} />
          <span class="vr" />
          {mayWrite && <Button look="quiet danger" icon="forget" label={words.forget(number)} onClick={() => begin('forget')} />}
          <IconButton icon="x" label={words.clear} onClick={selection.clear} />
        </div>
      )}
      {open && <BulkAction meant={open} first={first} total={number} onClose={() => setOpen(undefined)} onDone={done} onBack={onBack} />}
    </>
  );
}

interface BarButtonProps {
  readonly icon: IconName;
  readonly text: string;
  readonly shortcut?: string | undefined;
  readonly onClick: () => void;
}

function BarButton({ icon, text, shortcut, onClick }: BarButtonProps) {
  return (
    <button type="button" class="btn btn--quiet" title={text} onClick={onClick}>
      <Icon name={icon} />
      <span class="word">{text}</span>
      {shortcut !== undefined && <kbd aria-hidden="true">{shortcut}</kbd>}
    </button>
  );
}
