import { fontOf, LABEL_HEIGHT, labelAt } from './labels.ts';
import { focusOf, screenRadius, screenX, screenY, type Picture } from './picture.ts';

type Context = CanvasRenderingContext2D;

/** The name of a namespace above its cluster. */
interface ClusterName {
  readonly text: string;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

const NAME_HEIGHT = 18;
const HALO_WIDTH = 4;
const FAR = 0.55;
/** The first letter is Hebrew, Arabic or of a script like them. */
const RIGHT_TO_LEFT = /^\P{L}*[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/u;

const nameFont = ({ palette }: Pick<Picture, 'palette'>): string => `600 12px ${palette.font}`;

/** Names above clusters, without overlaps; none if there is only one namespace. */
export function clusterNames(picture: Picture, measure: (text: string, font: string) => number): ClusterName[] {
  const { network, shown } = picture;
  if (network.clusters.length < 2) return [];
  const names: ClusterName[] = [];
  for (const { namespace, members } of network.clusters) {
    const seen = members.filter((place) => shown.nodes[place] === 1);
    if (seen.length === 0) continue;
    const middle = seen.reduce((sum, place) => sum + screenX(picture, place), 0) / seen.length;
    const width = measure(namespace, nameFont(picture));
    let bottom = Math.min(...seen.map((place) => screenY(picture, place) - screenRadius(picture, place))) - 10;
    const [left, right] = [middle - width / 2, middle + width / 2];
    const covers = (name: ClusterName): boolean =>
      left < name.right + 8 && name.left - 8 < right && bottom - NAME_HEIGHT < name.bottom && name.top < bottom;
    while (names.some(covers)) bottom -= NAME_HEIGHT;
    names.push({ text: namespace, left, right, top: bottom - NAME_HEIGHT, bottom });
  }
  return names;
}

/** Text with an outline in the background colour, so that lines do not cross it. */
function write(context: Context, text: string, { x, y, colour, rim }: { x: number; y: number; colour: string; rim: string }): void {
  context.direction = RIGHT_TO_LEFT.test(text) ? 'rtl' : 'ltr';
  context.strokeStyle = rim;
  context.lineWidth = HALO_WIDTH;
  context.strokeText(text, x, y);
  context.fillStyle = colour;
  context.fillText(text, x, y);
}

export function paintWords(context: Context, picture: Picture, names: readonly ClusterName[]): void {
  const { palette, labels } = picture;
  const focused = focusOf(picture) >= 0;
  context.textBaseline = 'middle';
  context.textAlign = 'left';
  context.lineJoin = 'round';
  context.font = nameFont(picture);
  for (const { text, left, bottom } of names) {
    write(context, text, { x: left, y: bottom - NAME_HEIGHT / 2, colour: palette.ink3, rim: palette.ground });
  }
  for (const label of labels) {
    context.font = fontOf(picture, label.look);
    const { x, y } = labelAt(picture, label, context.measureText(label.text).width);
    if (x > picture.width || y < -LABEL_HEIGHT || y > picture.height + LABEL_HEIGHT) continue;
    context.globalAlpha = focused && label.look === 'usual' ? FAR : 1;
    write(context, label.text, { x, y, colour: label.look === 'usual' ? palette.ink2 : palette.ink, rim: palette.ground });
  }
  context.globalAlpha = 1;
}
