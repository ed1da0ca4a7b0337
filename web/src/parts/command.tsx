import { texts } from '../texts.ts';
import { IconButton } from './icon-button.tsx';
import { copy } from './toasts.tsx';

/** A terminal command with a copy button. */
export function Command({ text }: { text: string }) {
  return (
    <div class="term">
      <span class="dim" aria-hidden="true">
        $
      </span>
      <span class="clip grow" title={text}>
        {text}
      </span>
      <IconButton icon="copy" label={texts.copyCommand} size="sm" onClick={() => void copy(text, texts.commandCopied)} />
    </div>
  );
}
