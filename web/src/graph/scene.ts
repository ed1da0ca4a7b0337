import { LayoutClient, taskFor } from './layout-client.ts';
import type { LayoutUpdate } from './layout-worker.ts';
import type { Network, Shown } from './network.ts';
import { NOTHING, Viewport, type Subject, type ViewportEvents } from './viewport.ts';

interface SceneEvents extends ViewportEvents {
  readonly onBusy: (busy: boolean) => void;
  readonly onPinned: (places: ReadonlySet<number>) => void;
  readonly onFailure: () => void;
}

/** Graphs up to this size are laid out before they are shown: it takes a moment, and then nothing moves. */
const FEW_NODES = 400;

/** The live picture: a network, its layout and the visible part. Nothing runs while nothing changes. Close it. */
export class Scene {
  readonly view: Viewport;
  readonly #events: SceneEvents;
  readonly #layout: LayoutClient;
  /** The view that is applied as soon as its positions are known. */
  #next: Subject | undefined;
  /** The pressed node, and the one that was dragged since. */
  #pressed = -1;
  #held = -1;

  constructor(canvas: HTMLCanvasElement, events: SceneEvents) {
    this.#events = events;
    this.view = new Viewport(canvas, events);
    this.#layout = new LayoutClient(
      (news) => this.#hear(news),
      () => {
        events.onBusy(false);
        events.onFailure();
      },
    );
  }

  close(): void {
    this.#layout.close();
    this.view.close();
  }

  /** Whether the shown network is the one laid out last. Until then, indexes of one do not fit the other. */
  get isSettled(): boolean {
    return this.#next === undefined;
  }

  /**
   * Lays out another network. `again`: the same network after a change. Its nodes stay near their positions, pinned ones exactly there, and the
   * old picture stays visible until the new one is ready.
   */
  lay(network: Network, { shown, again }: { shown: Shown; again: boolean }): void {
    const { subject, isWide, still } = this.view;
    const known = new Map<string, readonly [number, number]>();
    const keeps = again && subject.positions.length > 0;
    if (keeps) for (const [place, { id }] of subject.network.nodes.entries()) known.set(id, this.view.at(place));
    const pinned = pinnedIn(network, this.#next ?? subject, known);
    // The pressed node belonged to the previous network.
    this.letGo();
    this.#next = { ...NOTHING, network, shown, pinned };
    this.#events.onPinned(pinned);
    this.#events.onBusy(network.nodes.length > 0);
    if (!again) this.view.follows = true;
    if (!keeps || network.nodes.length === 0) this.view.show({ ...NOTHING, network });
    if (network.nodes.length === 0) return;
    this.#layout.begin(taskFor({ network, known, pinned, wide: isWide }), still || network.nodes.length <= FEW_NODES);
  }

  /** Changes the visible part or other properties of the same network. */
  show(change: Pick<Subject, 'shown'> | Pick<Subject, 'selected'> | Pick<Subject, 'matches'>): void {
    // Before the first positions nothing can be shown.
    if (this.#next === undefined) this.view.show(change);
    else this.#next = { ...this.#next, ...change };
  }

  /** The node at a screen position, the nearest of several; -1 for none. */
  nodeAt(x: number, y: number, slack: number): number {
    return this.isSettled ? this.view.nodeAt(x, y, slack) : -1;
  }

  press(place: number): void {
    this.#pressed = place;
  }

  /** Moves the pressed node to a screen position and pins it. Does nothing if the network changed since the press. */
  hold(x: number, y: number): void {
    const place = this.#pressed;
    if (place < 0) return;
    const { subject, still } = this.view;
    this.#held = place;
    this.view.follows = false;
    const world = this.view.worldAt(x, y);
    const pinned = subject.pinned.has(place) ? subject.pinned : new Set([...subject.pinned, place]);
    if (pinned !== subject.pinned) this.#events.onPinned(pinned);
    this.view.show({ pinned, positions: movedTo(subject.positions, place, world) }, true);
    // Its neighbours follow, unless animation is off.
    if (!still) this.#layout.hold(place, ...world);
  }

  letGo(): void {
    this.#pressed = this.#held = -1;
  }

  /** Unpins a node, so that its relations move it. */
  unpin(place: number): void {
    const pinned = new Set([...(this.#next ?? this.view.subject).pinned].filter((one) => one !== place));
    this.#events.onPinned(pinned);
    if (this.#next === undefined) this.view.show({ pinned });
    else this.#next = { ...this.#next, pinned };
    if (!this.view.still) this.#layout.free(place);
  }

  #hear({ positions, done }: LayoutUpdate): void {
    const next = this.#next ?? this.view.subject;
    if (positions.length !== next.network.nodes.length * 2) return;
    this.#next = undefined;
    // The pointer is ahead of the layout.
    const own = this.#held < 0 ? positions : movedTo(positions, this.#held, this.view.at(this.#held));
    this.view.show({ ...next, positions: own }, true);
    if (done) this.#events.onBusy(false);
  }
}

/** The pinned nodes of this network as indexes of another. */
function pinnedIn(network: Network, before: Subject, known: ReadonlyMap<string, unknown>): ReadonlySet<number> {
  const ids = [...before.pinned].flatMap((place) => before.network.nodes[place]?.id ?? []);
  return new Set(ids.flatMap((id) => (known.has(id) ? (network.placeOf.get(id) ?? []) : [])));
}

function movedTo(positions: Float32Array, place: number, at: readonly [number, number]): Float32Array {
  const moved = positions.slice();
  moved.set(at, place * 2);
  return moved;
}
