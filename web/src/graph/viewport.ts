import { between, panIntoView, centreOn, fitTo, panBy, START_CAMERA, zoomAt, type Area, type Camera } from './camera.ts';
import type { Label } from './labels.ts';
import { onThemeChange, paletteOf, type Palette } from './palette.ts';
import { screenRadius, screenX, screenY, type Picture } from './picture.ts';
import { Screen } from './screen.ts';

/** What to show, independent of the camera. */
export type Subject = Omit<Picture, 'camera' | 'palette' | 'width' | 'height' | 'moving' | 'labels'>;

export interface ViewportEvents {
  readonly onZoom: (zoom: number) => void;
  /** The part of the canvas that nothing covers. */
  readonly area: () => Area;
}

export const NOTHING: Subject = {
  network: { nodes: [], titles: [], links: [], linksAt: [], clusters: [], placeOf: new Map(), ranked: [], truncated: false },
  shown: {
    links: new Uint8Array(),
    nodes: new Uint8Array(),
    linkCount: 0,
    nodeCount: 0,
    byType: { similar: 0, supersedes: 0, references: 0, contradicts: 0, elaborates: 0 },
  },
  positions: new Float32Array(),
  selected: -1,
  hovered: -1,
  matches: undefined,
  pinned: new Set(),
};

/** With more nodes, only fast details are painted while they move. */
const MANY = 700;
const REST_MS = 130;
const GLIDE_MS = 200;
const EDGE = 40;
const READABLE_ZOOM = 0.9;

/** Shows a subject through the camera. Paints only when something changed. Close it. */
export class Viewport {
  readonly #canvas: HTMLCanvasElement;
  readonly #screen: Screen;
  readonly #events: ViewportEvents;
  readonly #observer: ResizeObserver;
  readonly #forgetTheme: () => void;
  readonly still = matchMedia('(prefers-reduced-motion: reduce)').matches;
  #subject = NOTHING;
  #camera = START_CAMERA;
  #palette: Palette;
  #labels: readonly Label[] = [];
  #moving = false;
  #frame = 0;
  #glide = 0;
  #rest: ReturnType<typeof setTimeout> | undefined;
  /** Whether the view keeps the whole subject visible, until the user moves it. */
  follows = true;

  constructor(canvas: HTMLCanvasElement, events: ViewportEvents) {
    this.#canvas = canvas;
    this.#events = events;
    this.#screen = new Screen(canvas);
    this.#screen.resize();
    this.#palette = paletteOf(canvas.parentElement ?? canvas);
    this.#observer = new ResizeObserver(() => this.#resized());
    this.#observer.observe(canvas);
    this.#forgetTheme = onThemeChange(() => {
      this.#palette = paletteOf(canvas.parentElement ?? canvas);
      this.#paintSoon();
    });
  }

  close(): void {
    this.#observer.disconnect();
    this.#forgetTheme();
    clearTimeout(this.#rest);
    cancelAnimationFrame(this.#frame);
    cancelAnimationFrame(this.#glide);
  }

  get subject(): Subject {
    return this.#subject;
  }

  get isWide(): boolean {
    return this.#screen.width >= this.#screen.height;
  }

  /** Shows another subject; `moves`: its positions change. */
  show(change: Partial<Subject>, moves = false): void {
    this.#subject = { ...this.#subject, ...change };
    if (this.follows && moves) this.#see(fitTo(this.#bounds(), this.#events.area()));
    if (moves) this.#move();
    this.#paintSoon();
  }

  /** Zooms around a screen position; without one, around the middle. */
  zoomBy(factor: number, x?: number, y?: number): void {
    const { left, top, right, bottom } = this.#events.area();
    this.#go(zoomAt(this.#camera, factor, x ?? (left + right) / 2, y ?? (top + bottom) / 2));
  }

  pan(dx: number, dy: number): void {
    this.#go(panBy(this.#camera, dx, dy));
  }

  /** Fits the whole subject, and keeps it fitted. */
  fit(): void {
    this.follows = true;
    this.#glideTo(fitTo(this.#bounds(), this.#events.area()));
  }

  /** Centers a node at a readable zoom; does nothing if its position is unknown. */
  centre(place: number): void {
    const [x, y] = this.at(place);
    if (Number.isNaN(x)) return;
    this.follows = false;
    this.#glideTo(centreOn({ ...this.#camera, zoom: Math.max(this.#camera.zoom, READABLE_ZOOM) }, x, y, this.#events.area()));
  }

  /** Pans just enough to show a node; does nothing if its position is unknown. */
  reveal(place: number): void {
    if (Number.isNaN(this.at(place)[0])) return;
    const { left, top, right, bottom } = this.#events.area();
    const inside = { left: left + EDGE, top: top + EDGE, right: right - EDGE, bottom: bottom - EDGE };
    const picture = this.#picture();
    const next = panIntoView(this.#camera, screenX(picture, place), screenY(picture, place), inside);
    if (next === this.#camera) return;
    this.follows = false;
    this.#glideTo(next);
  }

  /** The node at a screen position, the nearest of several; -1 for none. */
  nodeAt(x: number, y: number, slack: number): number {
    const picture = this.#picture();
    let [best, least] = [-1, slack];
    for (const place of picture.network.nodes.keys()) {
      if (picture.shown.nodes[place] !== 1) continue;
      const away = Math.hypot(screenX(picture, place) - x, screenY(picture, place) - y) - screenRadius(picture, place);
      if (away < least) [best, least] = [place, away];
    }
    return best;
  }

  at(place: number): [number, number] {
    return [this.#subject.positions[place * 2] ?? Number.NaN, this.#subject.positions[place * 2 + 1] ?? Number.NaN];
  }

  worldAt(x: number, y: number): [number, number] {
    return [(x - this.#camera.x) / this.#camera.zoom, (y - this.#camera.y) / this.#camera.zoom];
  }

  middle(): [number, number] {
    const { left, top, right, bottom } = this.#events.area();
    return this.worldAt((left + right) / 2, (top + bottom) / 2);
  }

  set cursor(cursor: string) {
    this.#canvas.style.cursor = cursor;
  }

  /** The user moved the view: it is no longer fitted automatically. */
  #go(camera: Camera): void {
    this.follows = false;
    cancelAnimationFrame(this.#glide);
    this.#see(camera);
  }

  #see(camera: Camera): void {
    if (camera.zoom !== this.#camera.zoom) this.#events.onZoom(camera.zoom);
    this.#camera = camera;
    this.#move();
    this.#paintSoon();
  }

  #glideTo(to: Camera): void {
    cancelAnimationFrame(this.#glide);
    if (this.still) return this.#see(to);
    const [from, begun] = [this.#camera, performance.now()];
    const step = (now: number): void => {
      const part = Math.min(Math.max((now - begun) / GLIDE_MS, 0), 1);
      this.#see(part === 1 ? to : between(from, to, 1 - (1 - part) ** 3));
      if (part < 1) this.#glide = requestAnimationFrame(step);
    };
    this.#glide = requestAnimationFrame(step);
  }

  #bounds(): Area {
    const { network, shown, positions } = this.#subject;
    const bounds = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
    for (const place of network.nodes.keys()) {
      const [x, y] = [positions[place * 2], positions[place * 2 + 1]];
      if (shown.nodes[place] !== 1 || x === undefined || y === undefined) continue;
      bounds.left = Math.min(bounds.left, x);
      bounds.right = Math.max(bounds.right, x);
      bounds.top = Math.min(bounds.top, y);
      bounds.bottom = Math.max(bounds.bottom, y);
    }
    return bounds.left > bounds.right ? { left: 0, top: 0, right: 0, bottom: 0 } : bounds;
  }

  #resized(): void {
    const { width, height } = this.#screen;
    if (!this.#screen.resize()) return;
    const { width: wider, height: higher } = this.#screen;
    if (this.follows) this.#see(fitTo(this.#bounds(), this.#events.area()));
    else this.#see(panBy(this.#camera, (wider - width) / 2, (higher - height) / 2));
    // At once: a resized canvas is empty.
    this.#paint();
  }

  /** Paints roughly while much moves, and in full detail when it rests. */
  #move(): void {
    this.#moving = true;
    clearTimeout(this.#rest);
    this.#rest = setTimeout(() => {
      this.#moving = false;
      this.#paintSoon();
    }, REST_MS);
  }

  #paintSoon(): void {
    if (this.#frame !== 0) return;
    this.#frame = requestAnimationFrame(() => this.#paint());
  }

  #picture(): Picture {
    const { width, height } = this.#screen;
    return { ...this.#subject, camera: this.#camera, palette: this.#palette, width, height, moving: this.#moving, labels: this.#labels };
  }

  #paint(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.#screen.resize();
    if (this.#screen.width === 0) return;
    const picture = this.#picture();
    const { linkCount, nodeCount } = picture.shown;
    const many = linkCount + nodeCount > MANY;
    const area = this.#events.area();
    if (!many) return this.#screen.paint({ ...picture, labels: (this.#labels = this.#screen.labelsFor(picture, area)) });
    // While many nodes move, labels keep their sides; they are placed again at rest.
    if (picture.moving) return this.#screen.paint({ ...picture, labels: this.#labels });
    this.#screen.paintFocused(picture, {
      whole: () => (this.#labels = this.#screen.labelsFor({ ...picture, hovered: -1, selected: -1 }, area)),
      near: () => this.#screen.labelsFor(picture, area).filter(({ look }) => look !== 'usual'),
    });
  }
}
