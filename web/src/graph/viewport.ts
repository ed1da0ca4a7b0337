import { between, bringInto, centreOn, fitTo, panBy, START_CAMERA, zoomAt, type Area, type Camera } from './camera.ts';
import type { Label } from './labels.ts';
import { onThemeChange, paletteOf, type Palette } from './palette.ts';
import { screenRadius, screenX, screenY, type Picture } from './picture.ts';
import { Screen } from './screen.ts';

/** What is to be seen, without from where. */
export type Subject = Omit<Picture, 'camera' | 'palette' | 'width' | 'height' | 'moving' | 'labels'>;

export interface ViewportEvents {
  readonly onZoom: (zoom: number) => void;
  /** The part of the canvas that nothing lies over. */
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

/** More than so many: what is quickly painted is painted alone while they move. */
const MANY = 700;
const REST_MS = 130;
const GLIDE_MS = 200;
const EDGE = 40;
const READABLE_ZOOM = 0.9;

/** Shows a subject from where the camera stands. Paints when something changed, and at no other time. Close it. */
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
  /** Whether the whole subject is kept in view, until someone moves it. */
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

  /** Shows it otherwise; `moves` where what is in it goes somewhere else. */
  show(change: Partial<Subject>, moves = false): void {
    this.#subject = { ...this.#subject, ...change };
    if (this.follows && moves) this.#see(fitTo(this.#bounds(), this.#events.area()));
    if (moves) this.#move();
    this.#paintSoon();
  }

  /** Around a place on the screen; around the middle without one. */
  zoomBy(factor: number, x?: number, y?: number): void {
    const { left, top, right, bottom } = this.#events.area();
    this.#go(zoomAt(this.#camera, factor, x ?? (left + right) / 2, y ?? (top + bottom) / 2));
  }

  pan(dx: number, dy: number): void {
    this.#go(panBy(this.#camera, dx, dy));
  }

  /** Shows all of it, and keeps it in view from now on. */
  fit(): void {
    this.follows = true;
    this.#glideTo(fitTo(this.#bounds(), this.#events.area()));
  }

  /** Puts a node in the middle, near enough to read; does nothing where it is not known yet where that is. */
  centre(place: number): void {
    const [x, y] = this.at(place);
    if (Number.isNaN(x)) return;
    this.follows = false;
    this.#glideTo(centreOn({ ...this.#camera, zoom: Math.max(this.#camera.zoom, READABLE_ZOOM) }, x, y, this.#events.area()));
  }

  /** Moves no more than it takes to see a node; does nothing where it is not known yet where that is. */
  reveal(place: number): void {
    if (Number.isNaN(this.at(place)[0])) return;
    const { left, top, right, bottom } = this.#events.area();
    const inside = { left: left + EDGE, top: top + EDGE, right: right - EDGE, bottom: bottom - EDGE };
    const picture = this.#picture();
    const next = bringInto(this.#camera, screenX(picture, place), screenY(picture, place), inside);
    if (next === this.#camera) return;
    this.follows = false;
    this.#glideTo(next);
  }

  /** The node at a place on the screen, the nearest of several; -1 for none. */
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

  /** Where a node is in the world. */
  at(place: number): [number, number] {
    return [this.#subject.positions[place * 2] ?? Number.NaN, this.#subject.positions[place * 2 + 1] ?? Number.NaN];
  }

  /** The place of the world at a place on the screen. */
  worldAt(x: number, y: number): [number, number] {
    return [(x - this.#camera.x) / this.#camera.zoom, (y - this.#camera.y) / this.#camera.zoom];
  }

  /** The place of the world in the middle of what is seen. */
  middle(): [number, number] {
    const { left, top, right, bottom } = this.#events.area();
    return this.worldAt((left + right) / 2, (top + bottom) / 2);
  }

  set cursor(cursor: string) {
    this.#canvas.style.cursor = cursor;
  }

  /** Someone moves it: from now on it stays where it is put. */
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
    // At once: a canvas of a new size is empty.
    this.#paint();
  }

  /** While much is moving it is painted roughly, and well as soon as it rests. */
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
    // Labels of many keep their nodes while these move; at rest there is time to place them again.
    if (picture.moving) return this.#screen.paint({ ...picture, labels: this.#labels });
    this.#screen.paintFocused(picture, {
      whole: () => (this.#labels = this.#screen.labelsFor({ ...picture, hovered: -1, selected: -1 }, area)),
      near: () => this.#screen.labelsFor(picture, area).filter(({ look }) => look !== 'usual'),
    });
  }
}
