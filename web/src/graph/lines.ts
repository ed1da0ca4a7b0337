import type { NetworkLink } from './network.ts';
import { focusOf, screenRadius, screenX, screenY, type Picture } from './picture.ts';

/** A link on the screen: its ends and its control point. */
export interface Line {
  readonly link: NetworkLink;
  readonly near: boolean;
  readonly x1: number;
  readonly y1: number;
  readonly x2: number;
  readonly y2: number;
  readonly bowX: number;
  readonly bowY: number;
}

/** Lines and shapes are thinner when zoomed out. */
export const lineScale = ({ camera }: Pick<Picture, 'camera'>): number => Math.min(Math.max(Math.sqrt(camera.zoom) * 1.15, 0.45), 1);

export function linesIn(picture: Picture): Line[] {
  const { network, shown, width, height } = picture;
  const focus = focusOf(picture);
  const lines: Line[] = [];
  for (const [at, link] of network.links.entries()) {
    if (shown.links[at] !== 1) continue;
    const { source, target, bow } = link;
    const [x1, y1, x2, y2] = [screenX(picture, source), screenY(picture, source), screenX(picture, target), screenY(picture, target)];
    if (Math.max(x1, x2) < 0 || Math.min(x1, x2) > width || Math.max(y1, y2) < 0 || Math.min(y1, y2) > height) continue;
    const near = focus >= 0 && (source === focus || target === focus);
    lines.push({ link, near, x1, y1, x2, y2, bowX: (x1 + x2) / 2 - (y2 - y1) * bow, bowY: (y1 + y2) / 2 + (x2 - x1) * bow });
  }
  return lines;
}

const GAP = 2;
/** Length of an arrow at full size. */
export const ARROW = 7;

/** How much of the end of a line its shape covers. */
const signRoom = ({ type }: NetworkLink): number => (type === 'supersedes' || type === 'references' ? GAP + ARROW * 0.7 : GAP);

/** The end of the line before the shape at its node, and its direction there. */
export function endOf(picture: Picture, { link, x2, y2, bowX, bowY }: Line): { x: number; y: number; angle: number } {
  const angle = Math.atan2(y2 - bowY, x2 - bowX);
  const away = screenRadius(picture, link.target) + signRoom(link) * lineScale(picture);
  return { x: x2 - away * Math.cos(angle), y: y2 - away * Math.sin(angle), angle };
}
