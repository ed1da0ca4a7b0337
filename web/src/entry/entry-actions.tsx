import { useState } from 'preact/hooks';
import { writeAddress, START } from '../address.ts';
import type { Memory } from '../api/forms.ts';
import { Icon, type IconName } from '../parts/icon.tsx';
import { copy } from '../parts/toasts.tsx';
import { texts } from '../texts.ts';
import { ForgetDialog } from './forget-dialog.tsx';

interface EntryActionsProps {
  readonly memory: Memory;
  /** As buttons with words, where there is room. */
  readonly words?: boolean;
  readonly onForgotten: () => void;
}

/** What can be done with a memory. */
export function EntryActions({ memory, words = false, onForgotten }: EntryActionsProps) {
  const [forgetting, setForgetting] = useState(false);
  const address = new URL(writeAddress({ ...START, id: memory.id }), location.href).href;
  const actions: readonly { icon: IconName; text: string; act: () => void; danger?: boolean }[] = [
    { icon: 'copy', text: texts.details.copyText, act: () => void copy(memory.content, texts.details.textCopied) },
    { icon: 'link', text: texts.details.copyLink, act: () => void copy(address, texts.details.linkCopied) },
    { icon: 'forget', text: texts.forget.action, act: () => setForgetting(true), danger: true },
  ];
  return (
    <>
      {actions.map(({ icon, text, act, danger }) =>
        words ? (
          <button key={icon} type="button" class={danger ? 'btn btn--quiet btn--danger' : 'btn btn--quiet'} onClick={act}>
            <Icon name={icon} />
            <span class="word">{text}</span>
          </button>
        ) : (
          <button key={icon} type="button" class="icon-btn" aria-label={text} title={text} onClick={act}>
            <Icon name={icon} />
          </button>
        ),
      )}
      {forgetting && <ForgetDialog memory={memory} onKeep={() => setForgetting(false)} onForgotten={onForgotten} />}
    </>
  );
}
