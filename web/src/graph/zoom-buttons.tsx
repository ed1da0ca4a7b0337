import { IconButton } from '../parts/icon-button.tsx';
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
      <IconButton icon="minus" label={graphTexts.zoomOut} size="sm" onClick={() => onZoom(1 / ZOOM_STEP)} />
      <span class="num">{graphTexts.percent(zoom)}</span>
      <IconButton icon="plus" label={graphTexts.zoomIn} size="sm" onClick={() => onZoom(ZOOM_STEP)} />
      <IconButton icon="fit" label={graphTexts.fit} size="sm" onClick={onFit} />
    </div>
  );
}
