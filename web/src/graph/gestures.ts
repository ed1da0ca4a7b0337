import type { Scene } from './scene.ts';

interface GestureEvents {
  /** A node was clicked, or the background (-1). */
  readonly onSelect: (place: number) => void;
  readonly onOpen: (place: number) => void;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** A press that moves farther than this is a drag. */
const STIR = 4;
const SLACK = { mouse: 6, pen: 10, touch: 18 } as const;
const WHEEL = 0.0016;
/** A trackpad reports a pinch as small wheel events with Ctrl. */
const PINCH = 0.01;
const LINE_PIXELS = 20;

/** Pointer and wheel on the canvas: pans, drags nodes, selects. Returns a function that stops it. */
export function listenToGestures(canvas: HTMLCanvasElement, scene: Scene, events: GestureEvents): () => void {
  const gestures = new Gestures(canvas, scene, events);
  const leaving = new AbortController();
  const { signal } = leaving;
  canvas.addEventListener('pointerdown', (event) => gestures.down(event), { signal });
  canvas.addEventListener('pointermove', (event) => gestures.move(event), { signal });
  canvas.addEventListener('pointerup', (event) => gestures.up(event, true), { signal });
  canvas.addEventListener('pointercancel', (event) => gestures.up(event, false), { signal });
  canvas.addEventListener('pointerleave', () => scene.view.show({ hovered: -1 }), { signal });
  canvas.addEventListener('dblclick', (event) => gestures.open(event), { signal });
  canvas.addEventListener('wheel', (event) => gestures.wheel(event), { signal, passive: false });
  return () => leaving.abort();
}

class Gestures {
  readonly #canvas: HTMLCanvasElement;
  readonly #scene: Scene;
  readonly #events: GestureEvents;
  readonly #pointers = new Map<number, Point>();
  /** Whether a node is dragged, not the picture. */
  #carries = false;
  #from: Point = { x: 0, y: 0 };
  #stirred = false;

  constructor(canvas: HTMLCanvasElement, scene: Scene, events: GestureEvents) {
    this.#canvas = canvas;
    this.#scene = scene;
    this.#events = events;
  }

  down(event: PointerEvent): void {
    if (event.button !== 0) return;
    const point = this.#point(event);
    this.#pointers.set(event.pointerId, point);
    this.#canvas.setPointerCapture(event.pointerId);
    if (this.#pointers.size > 1) {
      // A second finger: the first one did not mean the node.
      this.#stirred = true;
      this.#carries = false;
      return this.#scene.letGo();
    }
    this.#from = point;
    this.#stirred = false;
    const pressed = this.#nodeAt(event);
    this.#carries = pressed >= 0;
    this.#scene.press(pressed);
  }

  move(event: PointerEvent): void {
    const [before, point] = [this.#pointers.get(event.pointerId), this.#point(event)];
    if (before === undefined) return this.#hover(event);
    if (this.#pointers.size > 1) return this.#pinch(event.pointerId, point);
    if (!this.#stirred && distance(point, this.#from) < STIR) return;
    this.#stirred = true;
    this.#pointers.set(event.pointerId, point);
    this.#scene.view.cursor = 'grabbing';
    if (this.#carries) this.#scene.hold(point.x, point.y);
    else this.#scene.view.pan(point.x - before.x, point.y - before.y);
  }

  up(event: PointerEvent, meant: boolean): void {
    if (!this.#pointers.delete(event.pointerId)) return;
    if (meant && !this.#stirred && this.#scene.isSettled) this.#events.onSelect(this.#nodeAt(event));
    if (this.#pointers.size > 0) return;
    this.#scene.letGo();
    this.#carries = false;
    this.#hover(event);
  }

  open(event: MouseEvent): void {
    const { x, y } = this.#point(event);
    const place = this.#scene.nodeAt(x, y, SLACK.mouse);
    if (place >= 0) this.#events.onOpen(place);
  }

  wheel(event: WheelEvent): void {
    event.preventDefault();
    const { x, y } = this.#point(event);
    const pixels = event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : LINE_PIXELS);
    this.#scene.view.zoomBy(Math.exp(-pixels * (event.ctrlKey ? PINCH : WHEEL)), x, y);
  }

  /** Two fingers zoom by their distance and pan by their midpoint. */
  #pinch(id: number, point: Point): void {
    const [first, second] = [...this.#pointers.values()];
    this.#pointers.set(id, point);
    const [nowFirst, nowSecond] = [...this.#pointers.values()];
    if (first === undefined || second === undefined || nowFirst === undefined || nowSecond === undefined) return;
    const [was, is] = [middle(first, second), middle(nowFirst, nowSecond)];
    this.#scene.view.pan(is.x - was.x, is.y - was.y);
    this.#scene.view.zoomBy(distance(nowFirst, nowSecond) / Math.max(distance(first, second), 1), is.x, is.y);
  }

  #hover(event: PointerEvent): void {
    if (event.pointerType === 'touch') return;
    const hovered = this.#nodeAt(event);
    this.#scene.view.cursor = hovered >= 0 ? 'pointer' : 'grab';
    if (hovered !== this.#scene.view.subject.hovered) this.#scene.view.show({ hovered });
  }

  #nodeAt(event: PointerEvent): number {
    const { x, y } = this.#point(event);
    const kind = event.pointerType === 'touch' || event.pointerType === 'pen' ? event.pointerType : 'mouse';
    return this.#scene.nodeAt(x, y, SLACK[kind]);
  }

  #point({ clientX, clientY }: MouseEvent): Point {
    const { left, top } = this.#canvas.getBoundingClientRect();
    return { x: clientX - left, y: clientY - top };
  }
}

const distance = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y);
const middle = (a: Point, b: Point): Point => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });
