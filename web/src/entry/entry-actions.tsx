import { useState } from 'preact/hooks';
import { linkTo } from '../address.ts';
import { fetchWhole } from '../api/client.ts';
import type { Memory } from '../api/responses.ts';
import { Icon, type IconName } from '../parts/icon.tsx';
import { copy } from '../parts/toasts.tsx';
import { useServer } from '../shell/server.tsx';
import { forgetEntry } from './forget-entry.ts';
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

function copies(memory: Memory): readonly Action[] {
  return [
    {
      icon: 'copy',
      word: actionTexts.copy,
      label: actionTexts.copyText,
      act: () =>
        void copy(
          fetchWhole(memory).then(({ content }) => content),
          actionTexts.textCopied,
        ),
    },
    { icon: 'link', word: actionTexts.link, label: actionTexts.copyLink, act: () => void copy(linkTo(memory.id), actionTexts.linkCopied) },
    {
      icon: 'code',
      word: actionTexts.json,
      label: actionTexts.copyJson,
      act: () =>
        void copy(
          fetchWhole(memory).then((all) => JSON.stringify(all, undefined, 2)),
          actionTexts.jsonCopied,
        ),
    },
  ];
}

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
