import { Layout, type LayoutTask } from './layout.ts';

/** What the page tells the worker. */
export type LayoutOrder =
  | {
      readonly kind: 'begin';
      /** Comes back with the news of it. */
      readonly number: number;
      readonly task: LayoutTask;
      /** Says nothing before the end, or before the hand takes a node. */
      readonly quiet: boolean;
    }
  | { readonly kind: 'hold'; readonly place: number; readonly x: number; readonly y: number }
  | { readonly kind: 'free'; readonly place: number };

/** What the worker tells the page. */
export interface LayoutNews {
  /** Of the order that it began with. */
  readonly number: number;
  readonly positions: Float32Array<ArrayBuffer>;
  readonly done: boolean;
}

/** A picture needs no more of them. */
const NEWS_EVERY_MS = 24;

let layout: Layout | undefined;
let number = 0;
let quiet = false;
let going = false;

function tell(done: boolean): void {
  const news: LayoutNews = { number, positions: layout?.positions() ?? new Float32Array(), done };
  postMessage(news, { transfer: [news.positions.buffer] });
}

/** Steps until there is something to tell, then lets orders in. At rest nothing runs. */
function run(): void {
  const until = quiet ? Number.POSITIVE_INFINITY : performance.now() + NEWS_EVERY_MS;
  let done = false;
  while (!done && performance.now() < until) done = layout?.step() ?? true;
  tell(done);
  going = !done;
  if (going) setTimeout(run);
}

addEventListener('message', ({ data: order }: MessageEvent<LayoutOrder>) => {
  if (order.kind === 'begin') {
    layout = new Layout(order.task);
    number = order.number;
    quiet = order.quiet;
  } else {
    // Those around it are to be seen on their way.
    quiet = false;
    if (order.kind === 'hold') layout?.hold(order.place, order.x, order.y);
    else layout?.free(order.place);
  }
  if (going) return;
  going = true;
  setTimeout(run);
});
