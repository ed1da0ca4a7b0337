import type { Area } from './camera.ts';
import { focusOf, neighboursOf, screenRadius, screenX, screenY, type Picture } from './picture.ts';

/** A label and its side of the node. */
export interface Label {
  readonly place: number;
  readonly text: string;
  readonly side: Side;
  readonly look: 'on' | 'near' | 'usual';
}
type Side = 'right' | 'left' | 'below' | 'above';
const SIDES = ['right', 'left', 'below', 'above'] as const;

type Box = Area;

export const LABEL_HEIGHT = 15;
const LABEL_GAP = 6;
const CELL = 48;
/** Window area per label. */
const AREA_PER_LABEL = 17_000;
/** Margin outside the window, so that labels exist before they are moved in. */
const BESIDE = 160;

export const fontOf = ({ palette }: Pick<Picture, 'palette'>, look: Label['look']): string =>
  look === 'on' ? `600 13px ${palette.font}` : look === 'near' ? `500 11.5px ${palette.font}` : `400 11.5px ${palette.font}`;

/** Offset of a label from its node: the left end of its text and the middle of its height. */
export function labelAt(picture: Picture, { place, side }: Pick<Label, 'place' | 'side'>, width: number): { x: number; y: number } {
  const [x, y, away] = [screenX(picture, place), screenY(picture, place), screenRadius(picture, place) + LABEL_GAP];
  if (side === 'right') return { x: x + away, y };
  if (side === 'left') return { x: x - away - width, y };
  return { x: x - width / 2, y: side === 'below' ? y + away + LABEL_HEIGHT / 2 - 2 : y - away - LABEL_HEIGHT / 2 + 2 };
}

/** Boxes in a grid: finds overlaps without comparing all boxes. */
class Taken {
  readonly #cells = new Map<number, Box[]>();

  *#cellsOf({ left, top, right, bottom }: Box): Generator<number> {
    for (let x = Math.floor(left / CELL); x <= Math.floor(right / CELL); x += 1)
      for (let y = Math.floor(top / CELL); y <= Math.floor(bottom / CELL); y += 1) yield x * 65_536 + y;
  }

  add(box: Box): void {
    for (const cell of this.#cellsOf(box)) {
      const boxes = this.#cells.get(cell);
      if (boxes === undefined) this.#cells.set(cell, [box]);
      else boxes.push(box);
    }
  }

  isFree(box: Box): boolean {
    for (const cell of this.#cellsOf(box))
      for (const other of this.#cells.get(cell) ?? [])
        if (box.left < other.right && other.left < box.right && box.top < other.bottom && other.top < box.bottom) return false;
    return true;
  }
}

/**
 * Selects and places labels: the selection and its neighbours first, then the most important nodes with room. A label never covers another, a
 * node or the name of a namespace.
 */
export function placeLabels(picture: Picture, { measure, names, area }: Means): Label[] {
  const taken = new Taken();
  for (const name of names) taken.add(name);
  const visible = visibleIn(picture);
  for (const place of visible) taken.add(boxAround(picture, place));
  const focus = focusOf(picture);
  const near = neighboursOf(picture, focus);
  const asked = picture.network.ranked.filter((place) => visible.has(place) && (near.has(place) || picture.matches?.[place] === 1));
  const others = picture.network.ranked.filter((place) => visible.has(place) && !near.has(place));
  const most = Math.max(Math.round((picture.width * picture.height) / AREA_PER_LABEL), 12) + asked.length;
  const labels: Label[] = [];
  for (const place of new Set([picture.selected, focus, ...asked, ...others])) {
    if (!visible.has(place) || labels.length >= most) continue;
    const look = place === focus || place === picture.selected ? 'on' : near.has(place) ? 'near' : 'usual';
    const label = freeLabel(picture, { place, look, taken, measure, area });
    if (label !== undefined) labels.push(label);
  }
  return labels;
}

function visibleIn(picture: Picture): Set<number> {
  const { network, shown, width, height } = picture;
  const visible = new Set<number>();
  for (const place of network.nodes.keys()) {
    if (shown.nodes[place] !== 1) continue;
    const [x, y] = [screenX(picture, place), screenY(picture, place)];
    if (x > -BESIDE && y > -BESIDE && x < width + BESIDE && y < height + BESIDE) visible.add(place);
  }
  return visible;
}

function boxAround(picture: Picture, place: number): Box {
  const [x, y, radius] = [screenX(picture, place), screenY(picture, place), screenRadius(picture, place) + 1];
  return { left: x - radius, top: y - radius, right: x + radius, bottom: y + radius };
}

interface Means {
  readonly measure: (text: string, font: string) => number;
  /** Names of namespaces, which have fixed positions. */
  readonly names: readonly Box[];
  /** The part of the window that nothing covers. */
  readonly area: Area;
}
interface LabelRequest extends Omit<Means, 'names'> {
  readonly place: number;
  readonly look: Label['look'];
  readonly taken: Taken;
}

const isWithin = (box: Box, area: Area): boolean =>
  box.left > area.left && box.right < area.right && box.top > area.top && box.bottom < area.bottom;

/** Whether the label is outside the window: it is prepared for when it is moved in. */
const isBeyond = (box: Box, { width, height }: Picture): boolean => box.right < 0 || box.bottom < 0 || box.left > width || box.top > height;

/** The first side with room for the whole label. The label of the selection may cover others. */
function freeLabel(picture: Picture, { place, look, taken, measure, area }: LabelRequest): Label | undefined {
  const text = picture.network.titles[place]?.short ?? '';
  if (text === '') return undefined;
  const width = measure(text, fontOf(picture, look));
  const boxes = SIDES.map((side) => {
    const { x, y } = labelAt(picture, { place, side }, width);
    return { side, box: { left: x - 2, top: y - LABEL_HEIGHT / 2, right: x + width + 2, bottom: y + LABEL_HEIGHT / 2 } };
  });
  const isFree = ({ box }: (typeof boxes)[number]): boolean => taken.isFree(box);
  const whole = boxes.filter(({ box }) => isWithin(box, area));
  const beyond = boxes.filter(({ box }) => isBeyond(box, picture));
  const chosen = whole.find(isFree) ?? (look === 'on' ? whole[0] : undefined) ?? beyond.find(isFree);
  if (chosen === undefined) return undefined;
  taken.add(chosen.box);
  return { place, text, side: chosen.side, look };
}
