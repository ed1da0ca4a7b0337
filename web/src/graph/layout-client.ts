import type { LayoutTask } from './layout.ts';
import type { LayoutUpdate, LayoutCommand } from './layout-worker.ts';
import { radiusOf, type Network } from './network.ts';

interface LayoutInput {
  readonly network: Network;
  readonly known: ReadonlyMap<string, readonly [number, number]>;
  readonly pinned: ReadonlySet<number>;
  readonly wide: boolean;
}

/** Lays out in a worker, so that the page stays responsive. Close it. */
export class LayoutClient {
  readonly #worker = new Worker(new URL('./layout-worker.ts', import.meta.url), { type: 'module' });

  #number = 0;

  /** `onFailure`: the browser could not load or run the worker, so no progress will come. */
  constructor(onNews: (news: LayoutUpdate) => void, onFailure: () => void) {
    this.#worker.addEventListener('error', onFailure);
    this.#worker.addEventListener('message', ({ data }: MessageEvent<LayoutUpdate>) => {
      // Ignores progress of an earlier task.
      if (data.number === this.#number) onNews(data);
    });
  }

  /** Starts again; `quiet` reports only the end. */
  begin(task: LayoutTask, quiet: boolean): void {
    this.#number += 1;
    this.#order({ kind: 'begin', number: this.#number, task, quiet });
  }

  hold(place: number, x: number, y: number): void {
    this.#order({ kind: 'hold', place, x, y });
  }

  free(place: number): void {
    this.#order({ kind: 'free', place });
  }

  close(): void {
    this.#worker.terminate();
  }

  #order(order: LayoutCommand): void {
    this.#worker.postMessage(order, []);
  }
}

/** The task for a network. Nodes with a known position start there. */
export function taskFor({ network, known, pinned, wide }: LayoutInput): LayoutTask {
  const { nodes, links, clusters } = network;
  const cluster = new Uint16Array(nodes.length);
  for (const [at, { members }] of clusters.entries()) for (const place of members) cluster[place] = at;
  const start = known.size === 0 ? [] : nodes.flatMap(({ id }) => known.get(id) ?? [Number.NaN, Number.NaN]);
  return {
    seeds: Uint32Array.from(nodes, ({ id }) => seedOf(id)),
    radii: Float32Array.from(nodes, radiusOf),
    cluster,
    ends: Uint32Array.from(links.flatMap(({ source, target }) => [source, target])),
    strengths: Float32Array.from(links, ({ strength }) => strength),
    start: Float32Array.from(start),
    pinned: Uint32Array.from(pinned),
    wide,
  };
}

/** FNV-1a hash of an id. */
function seedOf(id: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < id.length; at += 1) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
