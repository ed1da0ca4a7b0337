import { texts } from '../texts.ts';
import { Icon } from './icon.tsx';

interface NewPillProps {
  readonly number: number;
  readonly onShow: (button: HTMLElement) => void;
}

/** Says above a list that something came, and shows it when a person wants to: nothing that is read is moved by itself. */
export function NewPill({ number, onShow }: NewPillProps) {
  return (
    <div class="newpill-place" role="status">
      {number > 0 && (
        <button type="button" class="newpill" onClick={(event) => onShow(event.currentTarget)}>
          <Icon name="up" size="sm" />
          {texts.live.fresh(number)}
        </button>
      )}
    </div>
  );
}
