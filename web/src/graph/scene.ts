import { LayoutClient, taskFor } from './layout-client.ts';
import type { LayoutNews } from './layout-worker.ts';
import type { Network, Shown } from './network.ts';
import { NOTHING, Viewport, type Subject, type ViewportEvents } from './viewport.ts';

interface SceneEvents extends ViewportEvents {
  /** Whether it lays out. */
  readonly onBusy: (busy: boolean) => void;
  readonly onPinned: (places: ReadonlySet<number>) => void;
  /** It cannot be laid out here. */
  readonly onFailure: () => void;
}

/** Up to so many are laid out before they are shown: it takes a moment, and then nothing moves. */
const FEW_NODES = 400;

/** The live picture: a network, its layout and the part of it that is seen. Nothing runs while nothing changes. Close it. */
export class Scene {
  readonly view: Viewport;
  readonly #events: SceneEvents;
  readonly #layout: LayoutClient;
  /** What is shown as soon as there is news of where it lies. */
  #next: Subject | undefined;
  /** The node that is pressed, and the one that was moved since. */
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

  /** Whether what is seen is what was laid out last: until then, places of the one are not places of the other. */
  get isSettled(): boolean {
    return this.#next === undefined;
  }

  /**
   * Lays out another network; `again` where it is the same one after a change: its nodes stay about where they are, those that were put
   * somewhere just there, and what was there is seen until the new one is ready.
   */
  lay(network: Network, { shown, again }: { shown: Shown; again: boolean }): void {
    const { subject, isWide, still } = this.view;
    const known = new Map<string, readonly [number, number]>();
    const keeps = again && subject.positions.length > 0;
    if (keeps) for (const [place, { id }] of subject.network.nodes.entries()) known.set(id, this.view.at(place));
    const pinned = pinnedIn(network, this.#next ?? subject, known);
    // A press was on a node of the former one.
    this.letGo();
    this.#next = { ...NOTHING, network, shown, pinned };
    this.#events.onPinned(pinned);
    this.#events.onBusy(network.nodes.length > 0);
    if (!again) this.view.follows = true;
    if (!keeps || network.nodes.length === 0) this.view.show({ ...NOTHING, network });
    if (network.nodes.length === 0) return;
    this.#layout.begin(taskFor({ network, known, pinned, wide: isWide }), still || network.nodes.length <= FEW_NODES);
  }

  /** Another part of the same network, or something else about it. */
  show(change: Pick<Subject, 'shown'> | Pick<Subject, 'selected'> | Pick<Subject, 'matches'>): void {
    // Before the first news there is nowhere to show it.
    if (this.#next === undefined) this.view.show(change);
    else this.#next = { ...this.#next, ...change };
  }

  /** The node at a place on the screen, the nearest of several; -1 for none. */
  nodeAt(x: number, y: number, slack: number): number {
    return this.isSettled ? this.view.nodeAt(x, y, slack) : -1;
  }

  press(place: number): void {
    this.#pressed = place;
  }

  /** Takes the node that is pressed to a place on the screen and keeps it there. Does nothing where a change came since the press. */
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
    // Those around it follow, unless nothing may move by itself.
    if (!still) this.#layout.hold(place, ...world);
  }

  letGo(): void {
    this.#pressed = this.#held = -1;
  }

  /** Lets a node that was put somewhere go where its relations take it. */
  unpin(place: number): void {
    const pinned = new Set([...(this.#next ?? this.view.subject).pinned].filter((one) => one !== place));
    this.#events.onPinned(pinned);
    if (this.#next === undefined) this.view.show({ pinned });
    else this.#next = { ...this.#next, pinned };
    if (!this.view.still) this.#layout.free(place);
  }

  #hear({ positions, done }: LayoutNews): void {
    const next = this.#next ?? this.view.subject;
    if (positions.length !== next.network.nodes.length * 2) return;
    this.#next = undefined;
    // The hand is ahead of the news.
    const own = this.#held < 0 ? positions : movedTo(positions, this.#held, this.view.at(this.#held));
    this.view.show({ ...next, positions: own }, true);
    if (done) this.#events.onBusy(false);
  }
}

/** Where in another network those are that were put somewhere in this one. */
function pinnedIn(network: Network, before: Subject, known: ReadonlyMap<string, unknown>): ReadonlySet<number> {
  const ids = [...before.pinned].flatMap((place) => before.network.nodes[place]?.id ?? []);
  return new Set(ids.flatMap((id) => (known.has(id) ? (network.placeOf.get(id) ?? []) : [])));
}

function movedTo(positions: Float32Array, place: number, at: readonly [number, number]): Float32Array {
  const moved = positions.slice();
  moved.set(at, place * 2);
  return moved;
}
