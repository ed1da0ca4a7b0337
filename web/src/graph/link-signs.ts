import { ARROW, endOf, fineness, type Line } from './lines.ts';
import { screenRadius, type Picture } from './picture.ts';

type Context = CanvasRenderingContext2D;

const CROSS = 4;
const DOT = 2.6;
const GAP = 2;

/** Shapes that identify relation types in addition to colour and pattern: an arrow, a cross, a dot. */
export function paintSign(context: Context, picture: Picture, line: Line): void {
  const size = fineness(picture);
  context.beginPath();
  if (line.link.type === 'contradicts') {
    cross(context, line, CROSS * size);
    context.stroke();
    return;
  }
  if (line.link.type === 'elaborates') dot(context, picture, line, DOT * size);
  else arrow(context, picture, line, ARROW * size);
  context.fill();
}

function cross(context: Context, { x1, y1, x2, y2, bowX, bowY }: Line, arm: number): void {
  const [x, y] = [(x1 + 2 * bowX + x2) / 4, (y1 + 2 * bowY + y2) / 4];
  context.moveTo(x - arm, y - arm);
  context.lineTo(x + arm, y + arm);
  context.moveTo(x + arm, y - arm);
  context.lineTo(x - arm, y + arm);
}

function dot(context: Context, picture: Picture, { link, x1, y1, bowX, bowY }: Line, radius: number): void {
  const angle = Math.atan2(bowY - y1, bowX - x1);
  const away = screenRadius(picture, link.source) + GAP + 1;
  context.arc(x1 + away * Math.cos(angle), y1 + away * Math.sin(angle), radius, 0, 2 * Math.PI);
}

function arrow(context: Context, picture: Picture, line: Line, size: number): void {
  const { x, y, angle } = endOf(picture, line);
  const [ahead, aside] = [size * Math.cos(angle), size * Math.sin(angle)];
  context.moveTo(x + 0.7 * ahead, y + 0.7 * aside);
  context.lineTo(x - 0.5 * ahead - 0.5 * aside, y - 0.5 * aside + 0.5 * ahead);
  context.lineTo(x - 0.5 * ahead + 0.5 * aside, y - 0.5 * aside - 0.5 * ahead);
  context.closePath();
}
