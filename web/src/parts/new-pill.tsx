import { texts } from '../texts.ts';
import { Icon } from './icon.tsx';

interface NewPillProps {
  readonly number: number;
  readonly onShow: (button: HTMLElement) => void;
}

/** Announces new items above a list and shows them on click, so that the list does not move by itself. */
export function NewPill({ number, onShow }: NewPillProps) {
  return (
    <div class="newpill-place" role="status">
      {number > 0 && (
        <button type="button" class="row newpill" onClick={(event) => onShow(event.currentTarget)}>
          <Icon name="up" size="sm" />
          {texts.live.fresh(number)}
        </button>
      )}
    </div>
  );
}
