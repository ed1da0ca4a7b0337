import { detailFor, focusOf, neighboursOf, screenRadius, screenX, screenY, type Detail, type Picture } from './picture.ts';

type Context = CanvasRenderingContext2D;
type Look = 'high' | 'normal' | 'low' | 'near';

const FULL = 2 * Math.PI;
/** A smaller ring would be blurred. */
const SMALLEST_RING = 2.6;
const HALO = 7;
const FAINT = 0.32;
const RINGS_PER_STROKE = 8;
const OUTSIDE = 20;

interface Style {
  readonly fill: string;
  readonly stroke: string;
  readonly width: number;
  readonly dash: readonly number[];
}

function styleOf({ palette }: Pick<Picture, 'palette'>, look: Look): Style {
  if (look === 'high') return { fill: palette.high, stroke: palette.ground, width: 1.5, dash: [] };
  if (look === 'near') return { fill: palette.accentSoft, stroke: palette.accent, width: 1.75, dash: [] };
  if (look === 'low') return { fill: palette.surface, stroke: palette.control, width: 1.5, dash: [2, 2] };
  return { fill: palette.surface, stroke: palette.ink2, width: 1.5, dash: [] };
}

/** Paints all nodes, the selected one last; or `only` the focus and its neighbours. */
export function paintNodes(context: Context, picture: Picture, only?: 'near'): void {
  const near = neighboursOf(picture, focusOf(picture));
  const places = placesIn(picture).filter((place) => only === undefined || near.has(place) || place === picture.hovered);
  const detail = detailFor(picture, places.length);
  const { matches } = picture;
  if (matches !== undefined && only === undefined) {
    const others = places.filter((place) => matches[place] !== 1);
    const { ground } = picture.palette;
    // A transparent node would show the lines behind it.
    paintDiscs(context, picture, others, { fill: ground, stroke: ground, width: 0, dash: [] });
    context.globalAlpha = FAINT;
    paintLooks(context, picture, { places: others, near, detail });
    context.globalAlpha = 1;
  }
  paintHalos(context, picture, only);
  const clear = matches === undefined || only !== undefined ? places : places.filter((place) => matches[place] === 1);
  paintLooks(context, picture, { places: clear, near, detail });
  paintPins(context, picture);
  if (picture.selected >= 0 && picture.shown.nodes[picture.selected] === 1) paintSelected(context, picture);
}

function placesIn(picture: Picture): number[] {
  const { network, shown, selected, width, height } = picture;
  return [...network.nodes.keys()].filter((place) => {
    if (shown.nodes[place] !== 1 || place === selected) return false;
    const [x, y] = [screenX(picture, place), screenY(picture, place)];
    return x > -OUTSIDE && y > -OUTSIDE && x < width + OUTSIDE && y < height + OUTSIDE;
  });
}

interface Part {
  readonly places: readonly number[];
  readonly near: ReadonlySet<number>;
  readonly detail: Detail;
}

function paintLooks(context: Context, picture: Picture, { places, near, detail }: Part): void {
  const looks: Record<Look, number[]> = { normal: [], low: [], high: [], near: [] };
  for (const place of places) {
    const priority = picture.network.nodes[place]?.priority ?? 'normal';
    looks[priority !== 'high' && near.has(place) ? 'near' : priority].push(place);
  }
  for (const look of ['low', 'normal', 'high', 'near'] as const) {
    const style = styleOf(picture, look);
    if (detail === 'hint') paintDiscs(context, picture, looks[look], style);
    else paintRings(context, picture, { places: looks[look], style, patterned: detail === 'full' });
  }
}

/** Two discs instead of a ring: much faster to paint. */
function paintDiscs(context: Context, picture: Picture, places: readonly number[], { fill, stroke, width }: Style): void {
  const rim = width / 2;
  const ringed = fill === picture.palette.surface && screenRadius(picture, places[0] ?? 0) >= SMALLEST_RING;
  for (const [larger, colour] of ringed
    ? ([
        [rim, stroke],
        [-rim, fill],
      ] as const)
    : ([[0, fill === picture.palette.surface ? stroke : fill]] as const)) {
    context.fillStyle = colour;
    for (const place of places) {
      context.beginPath();
      context.arc(screenX(picture, place), screenY(picture, place), screenRadius(picture, place) + larger, 0, FULL);
      context.fill();
    }
  }
}

function paintRings(
  context: Context,
  picture: Picture,
  { places, style, patterned }: { places: readonly number[]; style: Style; patterned: boolean },
): void {
  const rings = screenRadius(picture, places[0] ?? 0) >= SMALLEST_RING;
  context.fillStyle = rings || style.fill !== picture.palette.surface ? style.fill : style.stroke;
  context.lineWidth = style.width;
  context.strokeStyle = style.stroke;
  context.setLineDash(patterned ? style.dash : []);
  for (let from = 0; from < places.length; from += RINGS_PER_STROKE) {
    context.beginPath();
    for (const place of places.slice(from, from + RINGS_PER_STROKE)) circle(context, picture, place, 0);
    context.fill();
    if (rings) context.stroke();
  }
  context.setLineDash([]);
}

/** Rings around search matches and around the node under the pointer. */
function paintHalos(context: Context, picture: Picture, only: 'near' | undefined): void {
  const { matches, shown, palette, hovered } = picture;
  if (matches !== undefined && only === undefined) {
    context.beginPath();
    for (const [place, match] of matches.entries()) if (match === 1 && shown.nodes[place] === 1) circle(context, picture, place, 5);
    context.fillStyle = palette.mark;
    context.fill();
  }
  if (hovered < 0 || shown.nodes[hovered] !== 1) return;
  context.beginPath();
  circle(context, picture, hovered, 5);
  context.fillStyle = palette.line;
  context.fill();
}

function paintPins(context: Context, picture: Picture): void {
  context.fillStyle = picture.palette.ink;
  for (const place of picture.pinned) {
    if (picture.shown.nodes[place] !== 1) continue;
    context.beginPath();
    context.arc(screenX(picture, place), screenY(picture, place), 2, 0, FULL);
    context.fill();
  }
}

function paintSelected(context: Context, picture: Picture): void {
  const { palette, selected } = picture;
  context.beginPath();
  circle(context, picture, selected, HALO);
  context.globalAlpha = 0.18;
  context.fillStyle = palette.accent;
  context.fill();
  context.globalAlpha = 1;
  context.beginPath();
  circle(context, picture, selected, 1);
  context.fillStyle = palette.accent;
  context.strokeStyle = palette.ground;
  context.lineWidth = 2;
  context.fill();
  context.stroke();
}

function circle(context: Context, picture: Picture, place: number, larger: number): void {
  const [x, y, radius] = [screenX(picture, place), screenY(picture, place), screenRadius(picture, place) + larger];
  context.moveTo(x + radius, y);
  context.arc(x, y, radius, 0, FULL);
}
