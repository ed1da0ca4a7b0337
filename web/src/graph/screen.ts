import type { Area } from './camera.ts';
import { focusOf, type Picture } from './picture.ts';
import { placeLabels, type Label } from './labels.ts';
import { paintLinks } from './paint-links.ts';
import { paintNodes } from './paint-nodes.ts';
import { clusterNames, paintWords } from './paint-words.ts';

const DOT_EVERY = 32;
const VEIL = 0.6;

/** A canvas that fits its element at the display's resolution, and paints pictures. */
export class Screen {
  readonly #canvas: HTMLCanvasElement;
  readonly #context: CanvasRenderingContext2D;
  readonly #widths = new Map<string, number>();
  #dots: { readonly pattern: CanvasPattern; readonly of: string } | undefined;
  /** The picture without a focus, and the input that it was painted from. */
  #kept: { readonly of: readonly unknown[]; readonly canvas: HTMLCanvasElement } | undefined;
  #ratio = 0;
  width = 0;
  height = 0;

  constructor(canvas: HTMLCanvasElement) {
    const context = canvas.getContext('2d', { alpha: false });
    if (context === null) throw new Error('This browser draws no pictures.');
    this.#canvas = canvas;
    this.#context = context;
  }

  /** Adopts the size of the element. Returns whether it changed. */
  resize(): boolean {
    const { clientWidth, clientHeight } = this.#canvas;
    const ratio = Math.min(devicePixelRatio, 3);
    if (clientWidth === this.width && clientHeight === this.height && ratio === this.#ratio) return false;
    this.width = clientWidth;
    this.height = clientHeight;
    this.#ratio = ratio;
    this.#canvas.width = Math.max(Math.round(clientWidth * ratio), 1);
    this.#canvas.height = Math.max(Math.round(clientHeight * ratio), 1);
    return true;
  }

  labelsFor(picture: Picture, area: Area): Label[] {
    const measure = (text: string, font: string): number => this.#measure(text, font);
    return placeLabels(picture, { measure, names: clusterNames(picture, measure), area });
  }

  /**
   * Paints a picture at rest, where only the area of the focus changes between frames. The rest is cached and dimmed, so that the pointer can
   * move over thousands of nodes without repainting all of them.
   */
  paintFocused(picture: Picture, labels: { readonly whole: () => readonly Label[]; readonly near: () => readonly Label[] }): void {
    const context = this.#context;
    const { camera, shown, positions, palette, matches, pinned } = picture;
    const of = [camera, shown, positions, palette, matches, pinned, this.#canvas.width, this.#canvas.height];
    if (this.#kept === undefined || of.some((part, at) => part !== this.#kept?.of[at])) {
      this.paint({ ...picture, hovered: -1, selected: -1, labels: labels.whole() });
      this.#kept = { of, canvas: copyOf(this.#canvas) };
    } else {
      context.setTransform(1, 0, 0, 1, 0, 0);
      context.drawImage(this.#kept.canvas, 0, 0);
    }
    if (focusOf(picture) < 0) return;
    context.setTransform(this.#ratio, 0, 0, this.#ratio, 0, 0);
    context.globalAlpha = VEIL;
    context.fillStyle = palette.ground;
    context.fillRect(0, 0, this.width, this.height);
    context.globalAlpha = 1;
    paintLinks(context, picture, 'near');
    paintNodes(context, picture, 'near');
    paintWords(context, { ...picture, labels: labels.near() }, []);
  }

  paint(picture: Picture): void {
    const context = this.#context;
    context.setTransform(this.#ratio, 0, 0, this.#ratio, 0, 0);
    context.fillStyle = picture.palette.ground;
    context.fillRect(0, 0, this.width, this.height);
    this.#paintDots(picture);
    context.setTransform(this.#ratio, 0, 0, this.#ratio, 0, 0);
    paintLinks(context, picture);
    paintNodes(context, picture);
    paintWords(
      context,
      picture,
      clusterNames(picture, (text, font) => this.#measure(text, font)),
    );
  }

  #measure(text: string, font: string): number {
    const key = `${font} ${text}`;
    const known = this.#widths.get(key);
    if (known !== undefined) return known;
    this.#context.font = font;
    const { width } = this.#context.measureText(text);
    this.#widths.set(key, width);
    return width;
  }

  /** A dot grid that moves with the picture, so that moving an empty area is visible. */
  #paintDots({ palette, camera }: Picture): void {
    const pattern = this.#dotsIn(palette.line);
    if (pattern === undefined) return;
    const offset = (at: number): number => Math.round((((at % DOT_EVERY) + DOT_EVERY) % DOT_EVERY) * this.#ratio);
    const [x, y] = [offset(camera.x), offset(camera.y)];
    this.#context.setTransform(1, 0, 0, 1, x, y);
    this.#context.fillStyle = pattern;
    this.#context.fillRect(-x, -y, this.#canvas.width, this.#canvas.height);
  }

  #dotsIn(colour: string): CanvasPattern | undefined {
    const of = `${colour} ${this.#ratio}`;
    if (this.#dots?.of === of) return this.#dots.pattern;
    const tile = document.createElement('canvas');
    tile.width = tile.height = Math.round(DOT_EVERY * this.#ratio);
    const context = tile.getContext('2d');
    if (context === null) return undefined;
    drawTile(context, colour, this.#ratio);
    const pattern = this.#context.createPattern(tile, 'repeat');
    if (pattern === null) return undefined;
    this.#dots = { pattern, of };
    return pattern;
  }
}

function copyOf(canvas: HTMLCanvasElement): HTMLCanvasElement {
  const copy = document.createElement('canvas');
  copy.width = canvas.width;
  copy.height = canvas.height;
  copy.getContext('2d', { alpha: false })?.drawImage(canvas, 0, 0);
  return copy;
}

function drawTile(context: CanvasRenderingContext2D, colour: string, ratio: number): void {
  context.fillStyle = colour;
  context.beginPath();
  context.arc((DOT_EVERY / 2) * ratio, (DOT_EVERY / 2) * ratio, ratio, 0, 2 * Math.PI);
  context.fill();
}
