import { RELATION_TYPES } from '../../../src/memory/vocabulary.ts';
import { endOf, lineScale, linesIn, type Line, ARROW } from './lines.ts';
import type { RelationType } from './network.ts';
import { detailFor, focusOf, type Detail, type Picture, screenRadius } from './picture.ts';

type Context = CanvasRenderingContext2D;

/** Dash pattern of each type; solid if absent. */
const DASHES: Readonly<Record<RelationType, readonly number[]>> = {
  similar: [0.1, 5],
  supersedes: [],
  references: [6, 4],
  contradicts: [],
  elaborates: [],
};
const WIDTHS = [1, 1.5, 2.1, 2.8] as const;
const NEAR_WIDER = 0.5;
/** Links per stroke: one stroke for all is slow where lines cross, and one per link has too much overhead. */
const LINES_PER_STROKE = 24;

const widthOf = (strength: number): number => WIDTHS[Math.min(Math.floor(strength * WIDTHS.length), WIDTHS.length - 1)] ?? 1;

/** Many lines are fainter than few, so that they do not hide the nodes. */
const strengthOf = (count: number): number => Math.max(0.62 * Math.min(1, (300 / Math.max(count, 1)) ** 0.32), 0.2);

/** Paints all lines, those of the focus last; or `only` those of the focus. */
export function paintLinks(context: Context, picture: Picture, only?: 'near'): void {
  const lines = linesIn(picture);
  const detail = detailFor(picture, lines.length);
  const dimmed = focusOf(picture) >= 0 || picture.matches !== undefined;
  const alpha = strengthOf(picture.shown.linkCount) * (dimmed ? 0.45 : 1);
  if (only === undefined) {
    const far = lines.filter(({ near }) => !near);
    for (const type of RELATION_TYPES) paintType(context, picture, { type, lines: far, detail, alpha, wider: 0 });
  }
  const close = lines.filter(({ near }) => near);
  for (const type of RELATION_TYPES) paintType(context, picture, { type, lines: close, detail: 'full', alpha: 1, wider: NEAR_WIDER });
  context.setLineDash([]);
  context.globalAlpha = 1;
}

interface Look {
  readonly type: RelationType;
  readonly lines: readonly Line[];
  readonly detail: Detail;
  readonly alpha: number;
  readonly wider: number;
}

function paintType(context: Context, picture: Picture, { type, lines, detail, alpha, wider }: Look): void {
  const finer = lineScale(picture);
  const own = lines.filter(({ link }) => link.type === type);
  context.globalAlpha = alpha;
  context.strokeStyle = context.fillStyle = picture.palette[type];
  context.lineCap = detail === 'hint' ? 'butt' : 'round';
  context.setLineDash(detail === 'full' ? DASHES[type].map((length) => length * finer) : []);
  for (const width of detail === 'hint' ? [undefined] : WIDTHS) {
    const alike = width === undefined ? own : own.filter(({ link }) => widthOf(link.strength) === width);
    // A line of exactly one pixel is by far the fastest to paint.
    context.lineWidth = width === undefined ? 1 : (width + wider) * finer;
    for (let from = 0; from < alike.length; from += LINES_PER_STROKE) {
      strokeLines(context, picture, alike.slice(from, from + LINES_PER_STROKE), detail);
    }
  }
  if (detail !== 'full' || type === 'similar') return;
  context.setLineDash([]);
  context.lineWidth = 1.75 * finer;
  for (const line of own) paintSign(context, picture, line);
}

function strokeLines(context: Context, picture: Picture, lines: readonly Line[], detail: Detail): void {
  context.beginPath();
  for (const line of lines) {
    context.moveTo(line.x1, line.y1);
    if (detail === 'hint') {
      context.lineTo(line.x2, line.y2);
      continue;
    }
    const { x, y } = endOf(picture, line);
    context.quadraticCurveTo(line.bowX, line.bowY, x, y);
  }
  context.stroke();
}

const CROSS = 4;
const DOT = 2.6;
const GAP = 2;

/** Shapes that identify relation types in addition to colour and pattern: an arrow, a cross, a dot. */
function paintSign(context: Context, picture: Picture, line: Line): void {
  const size = lineScale(picture);
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
