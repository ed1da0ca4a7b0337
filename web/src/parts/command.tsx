import { texts } from '../texts.ts';
import { Icon } from './icon.tsx';
import { copy } from './toasts.tsx';

/** A command to run in a terminal, with a button that copies it. */
export function Command({ text }: { text: string }) {
  return (
    <div class="term">
      <span class="dim" aria-hidden="true">
        $
      </span>
      <span class="clip grow" title={text}>
        {text}
      </span>
      <button type="button" class="icon-btn" aria-label={texts.copyCommand} onClick={() => void copy(text, texts.commandCopied)}>
        <Icon name="copy" size="sm" />
      </button>
    </div>
  );
}
