import { useState } from 'preact/hooks';
import type { Memory } from '../api/responses.ts';
import { Icon, type IconName } from '../parts/icon.tsx';
import { useServer } from '../shell/server.tsx';
import { forgetEntry } from './forget-entry.ts';
import { copyJson, copyLink, copyText } from './copying.ts';
import { actionTexts } from './action-texts.ts';

interface EntryActionsProps {
  readonly memory: Memory;
  /** As labelled buttons, if there is room. */
  readonly words?: boolean;
  /** Called before the memory is forgotten, so that the view stops loading it. */
  readonly onForget?: () => void;
  readonly onForgotten: () => void;
  /** Called after something was copied. */
  readonly onCopied?: (() => void) | undefined;
}

interface Action {
  readonly icon: IconName;
  readonly word: string;
  /** Explanation, if the label is not clear enough. */
  readonly label: string;
  readonly act: () => void;
}

const copies = (memory: Memory): readonly Action[] => [
  { icon: 'copy', word: actionTexts.copy, label: actionTexts.copyText, act: () => copyText(memory) },
  { icon: 'link', word: actionTexts.link, label: actionTexts.copyLink, act: () => copyLink(memory) },
  { icon: 'code', word: actionTexts.json, label: actionTexts.copyJson, act: () => copyJson([memory]) },
];

export function EntryActions({ memory, words = false, onForget, onForgotten, onCopied }: EntryActionsProps) {
  const { changed, mayWrite } = useServer();
  const [busy, setBusy] = useState(false);
  const forget = async (): Promise<void> => {
    setBusy(true);
    onForget?.();
    await forgetEntry(memory.id, { onGone: onForgotten, changed });
    setBusy(false);
  };
  return (
    <>
      {copies(memory).map(({ icon, word, label, act }) => (
        <button
          key={icon}
          type="button"
          class={words ? 'btn btn--quiet' : 'icon-btn'}
          aria-label={label}
          title={label}
          onClick={() => (act(), onCopied?.())}
        >
          <Icon name={icon} />
          {words && <span class="word">{word}</span>}
        </button>
      ))}
      {mayWrite && (
        <button
          type="button"
          class={words ? 'btn btn--quiet btn--danger' : 'icon-btn'}
          aria-label={actionTexts.forget.action}
          title={actionTexts.forget.action}
          disabled={busy}
          onClick={() => void forget()}
        >
          <Icon name="forget" />
          {words && <span class="word">{actionTexts.forget.action}</span>}
        </button>
      )}
    </>
  );
}
