/** A position in the window, in CSS pixels. */
export interface Area {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

const MIN_ZOOM = 0.05;
const MAX_ZOOM = 4;
const FIT_ZOOM = 1.25;
const FIT_MARGIN = 40;

/** The visible section and its scale: `screen = world * zoom + offset`. */
export interface Camera {
  readonly zoom: number;
  readonly x: number;
  readonly y: number;
}

export const START_CAMERA: Camera = { zoom: 1, x: 0, y: 0 };

const clamp = (zoom: number): number => Math.min(Math.max(zoom, MIN_ZOOM), MAX_ZOOM);

/** Zooms around a fixed screen position. */
export function zoomAt(camera: Camera, factor: number, x: number, y: number): Camera {
  const zoom = clamp(camera.zoom * factor);
  const by = zoom / camera.zoom;
  return { zoom, x: x - (x - camera.x) * by, y: y - (y - camera.y) * by };
}

export const panBy = ({ zoom, x, y }: Camera, dx: number, dy: number): Camera => ({ zoom, x: x + dx, y: y + dy });

export function centreOn({ zoom }: Camera, x: number, y: number, area: Area): Camera {
  return { zoom, x: (area.left + area.right) / 2 - x * zoom, y: (area.top + area.bottom) / 2 - y * zoom };
}

/** Fits `bounds` of the world into the area, up to a maximum zoom. */
export function fitTo(bounds: Area, area: Area): Camera {
  const across = (area.right - area.left - 2 * FIT_MARGIN) / Math.max(bounds.right - bounds.left, 1);
  const down = (area.bottom - area.top - 2 * FIT_MARGIN) / Math.max(bounds.bottom - bounds.top, 1);
  const zoom = clamp(Math.min(across, down, FIT_ZOOM));
  return centreOn({ ...START_CAMERA, zoom }, (bounds.left + bounds.right) / 2, (bounds.top + bounds.bottom) / 2, area);
}

/** The smallest move that brings a screen position into the area. */
export function panIntoView(camera: Camera, x: number, y: number, area: Area): Camera {
  const dx = Math.max(area.left - x, 0) - Math.max(x - area.right, 0);
  const dy = Math.max(area.top - y, 0) - Math.max(y - area.bottom, 0);
  return dx === 0 && dy === 0 ? camera : panBy(camera, dx, dy);
}

export const between = (from: Camera, to: Camera, part: number): Camera => ({
  zoom: from.zoom + (to.zoom - from.zoom) * part,
  x: from.x + (to.x - from.x) * part,
  y: from.y + (to.y - from.y) * part,
});
