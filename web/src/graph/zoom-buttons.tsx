import { Icon } from '../parts/icon.tsx';
import { graphTexts } from './texts.ts';

export const ZOOM_STEP = 1.3;

interface ZoomProps {
  readonly zoom: number;
  readonly onZoom: (factor: number) => void;
  readonly onFit: () => void;
}

export function ZoomButtons({ zoom, onZoom, onFit }: ZoomProps) {
  return (
    <div class="g-float g-zoom" role="group" aria-label={graphTexts.zoom}>
      <button
        type="button"
        class="icon-btn"
        aria-label={graphTexts.zoomOut}
        title={graphTexts.zoomOut}
        onClick={() => onZoom(1 / ZOOM_STEP)}
      >
        <Icon name="minus" size="sm" />
      </button>
      <span class="num">{graphTexts.percent(zoom)}</span>
      <button type="button" class="icon-btn" aria-label={graphTexts.zoomIn} title={graphTexts.zoomIn} onClick={() => onZoom(ZOOM_STEP)}>
        <Icon name="plus" size="sm" />
      </button>
      <button type="button" class="icon-btn" aria-label={graphTexts.fit} title={graphTexts.fit} onClick={onFit}>
        <Icon name="fit" size="sm" />
      </button>
    </div>
  );
}
