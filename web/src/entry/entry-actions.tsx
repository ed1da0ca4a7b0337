import { useState } from 'preact/hooks';
import { linkTo } from '../address.ts';
import { whole } from '../api/client.ts';
import type { Memory } from '../api/forms.ts';
import { Icon, type IconName } from '../parts/icon.tsx';
import { copy } from '../parts/toasts.tsx';
import { useServer } from '../shell/server.tsx';
import { entryTexts } from './texts.ts';
import { forgetEntry } from './forget-entry.ts';

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
  const { details } = entryTexts;
  return [
    {
      icon: 'copy',
      word: entryTexts.copy,
      label: details.copyText,
      act: () =>
        void copy(
          whole(memory).then(({ content }) => content),
          details.textCopied,
        ),
    },
    { icon: 'link', word: entryTexts.link, label: details.copyLink, act: () => void copy(linkTo(memory.id), details.linkCopied) },
    {
      icon: 'code',
      word: entryTexts.json,
      label: entryTexts.copyJson,
      act: () =>
        void copy(
          whole(memory).then((all) => JSON.stringify(all, undefined, 2)),
          entryTexts.jsonCopied,
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
          aria-label={entryTexts.forget.action}
          title={entryTexts.forget.action}
          disabled={busy}
          onClick={() => void forget()}
        >
          <Icon name="forget" />
          {words && <span class="word">{entryTexts.forget.action}</span>}
        </button>
      )}
    </>
  );
}
