import type { Camera } from './camera.ts';
import { radiusOf, type Network, type Shown } from './network.ts';
import type { Palette } from './palette.ts';
import type { Label } from './labels.ts';

/** Everything that one frame is painted from. */
export interface Picture {
  readonly network: Network;
  readonly shown: Shown;
  /** x and y of every node in the world, one after the other. */
  readonly positions: Float32Array;
  readonly camera: Camera;
  readonly palette: Palette;
  /** In CSS pixels. */
  readonly width: number;
  readonly height: number;
  /** Places; -1 for none. */
  readonly selected: number;
  readonly hovered: number;
  /** 1 for each node that was looked for; undefined while nothing is. */
  readonly matches: Uint8Array | undefined;
  readonly pinned: ReadonlySet<number>;
  /** Whether the next frame comes at once, so that this one must be quick. */
  readonly moving: boolean;
  readonly labels: readonly Label[];
}

export const screenX = ({ positions, camera }: Pick<Picture, 'positions' | 'camera'>, place: number): number =>
  (positions[place * 2] ?? 0) * camera.zoom + camera.x;
export const screenY = ({ positions, camera }: Pick<Picture, 'positions' | 'camera'>, place: number): number =>
  (positions[place * 2 + 1] ?? 0) * camera.zoom + camera.y;

/** On the screen: nodes grow and shrink less than the space between them, so that they stay to be seen and to be hit. */
export function screenRadius({ network, camera }: Pick<Picture, 'network' | 'camera'>, place: number): number {
  const node = network.nodes[place];
  return node === undefined ? 0 : radiusOf(node) * Math.min(Math.max(Math.sqrt(camera.zoom), 0.34), 1.6);
}

/** How much is painted of each thing: a hint of it, its shape, or all that it says. */
export type Detail = 'hint' | 'shape' | 'full';

const FULL_MOVING = 260;
const FULL_AT_REST = 1000;

/** As much as there is time for; of very many from far away, more would not be seen. */
export function detailFor({ moving }: Pick<Picture, 'moving'>, count: number): Detail {
  if (count <= FULL_MOVING) return 'full';
  if (moving) return 'hint';
  return count <= FULL_AT_REST ? 'full' : 'shape';
}

/** The node that everything else is measured by: what the pointer is at, or else what is selected. */
export const focusOf = ({ hovered, selected }: Pick<Picture, 'hovered' | 'selected'>): number => (hovered >= 0 ? hovered : selected);

/** The nodes at the other end of the links of the one in focus. */
export function neighboursOf({ network, shown }: Pick<Picture, 'network' | 'shown'>, place: number): ReadonlySet<number> {
  const links = (network.linksAt[place] ?? []).filter((link) => shown.links[link] === 1);
  return new Set(
    links.flatMap((link) => [network.links[link]?.source ?? -1, network.links[link]?.target ?? -1]).filter((one) => one !== place),
  );
}
