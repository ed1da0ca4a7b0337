import { Layout, type LayoutTask } from './layout.ts';

export type LayoutCommand =
  | {
      readonly kind: 'begin';
      /** Returned with the progress of this task. */
      readonly number: number;
      readonly task: LayoutTask;
      /** Reports nothing before the end, or before a node is dragged. */
      readonly quiet: boolean;
    }
  | { readonly kind: 'hold'; readonly place: number; readonly x: number; readonly y: number }
  | { readonly kind: 'free'; readonly place: number };

export interface LayoutUpdate {
  /** Id of the task that it started with. */
  readonly number: number;
  readonly positions: Float32Array<ArrayBuffer>;
  readonly done: boolean;
}

/** Interval of progress reports: a picture needs no more. */
const UPDATE_INTERVAL_MS = 24;

let layout: Layout | undefined;
let number = 0;
let quiet = false;
let going = false;

function report(done: boolean): void {
  const update: LayoutUpdate = { number, positions: layout?.positions() ?? new Float32Array(), done };
  postMessage(update, { transfer: [update.positions.buffer] });
}

/** Runs steps until the next report is due, then handles messages. Idle at rest. */
function run(): void {
  const until = quiet ? Number.POSITIVE_INFINITY : performance.now() + UPDATE_INTERVAL_MS;
  let done = false;
  while (!done && performance.now() < until) done = layout?.step() ?? true;
  report(done);
  going = !done;
  if (going) setTimeout(run);
}

addEventListener('message', ({ data: order }: MessageEvent<LayoutCommand>) => {
  if (order.kind === 'begin') {
    layout = new Layout(order.task);
    number = order.number;
    quiet = order.quiet;
  } else {
    // Its neighbours must be visible while they move.
    quiet = false;
    if (order.kind === 'hold') layout?.hold(order.place, order.x, order.y);
    else layout?.free(order.place);
  }
  if (going) return;
  going = true;
  setTimeout(run);
});
