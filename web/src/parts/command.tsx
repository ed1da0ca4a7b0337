import { texts } from '../texts.ts';
import { copy } from './toasts.tsx';
import { IconButton } from './button.tsx';

interface CommandProps {
  readonly text: string;
  readonly sign?: string;
  readonly label?: string;
  /** Shown after copying. */
  readonly copied?: string;
}

/** A command to run in a terminal, or another text to take along, with a button that copies it. */
export function Command({ text, sign = '$', label = texts.copyCommand, copied = texts.commandCopied }: CommandProps) {
  return (
    <div class="term">
      <span class="dim" aria-hidden="true">
        {sign}
      </span>
      <span class="clip grow" title={text}>
        {text}
      </span>
      <IconButton icon="copy" label={label} size="sm" onClick={() => void copy(text, copied)} />
    </div>
  );
}
