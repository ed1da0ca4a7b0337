import type { Camera } from './camera.ts';
import { radiusOf, type Network, type Shown } from './network.ts';
import type { Palette } from './palette.ts';
import type { Label } from './labels.ts';

/** Everything that one frame is painted from. */
export interface Picture {
  readonly network: Network;
  readonly shown: Shown;
  /** World coordinates of all nodes: x, y, x, y, … */
  readonly positions: Float32Array;
  readonly camera: Camera;
  readonly palette: Palette;
  /** In CSS pixels. */
  readonly width: number;
  readonly height: number;
  /** Node indexes; -1 for none. */
  readonly selected: number;
  readonly hovered: number;
  /** 1 for each search match; undefined without a search. */
  readonly matches: Uint8Array | undefined;
  readonly pinned: ReadonlySet<number>;
  /** Whether another frame follows at once, so that this one must be fast. */
  readonly moving: boolean;
  readonly labels: readonly Label[];
}

export const screenX = ({ positions, camera }: Pick<Picture, 'positions' | 'camera'>, place: number): number =>
  (positions[place * 2] ?? 0) * camera.zoom + camera.x;
export const screenY = ({ positions, camera }: Pick<Picture, 'positions' | 'camera'>, place: number): number =>
  (positions[place * 2 + 1] ?? 0) * camera.zoom + camera.y;

/** Screen radius: nodes scale less than the space between them, so that they stay visible and clickable. */
export function screenRadius({ network, camera }: Pick<Picture, 'network' | 'camera'>, place: number): number {
  const node = network.nodes[place];
  return node === undefined ? 0 : radiusOf(node) * Math.min(Math.max(Math.sqrt(camera.zoom), 0.34), 1.6);
}

/** Level of detail: a hint, the shape, or everything. */
export type Detail = 'hint' | 'shape' | 'full';

const FULL_MOVING = 260;
const FULL_AT_REST = 1000;

/** As much detail as there is time for. With very many nodes zoomed out, more would not be visible. */
export function detailFor({ moving }: Pick<Picture, 'moving'>, count: number): Detail {
  if (count <= FULL_MOVING) return 'full';
  if (moving) return 'hint';
  return count <= FULL_AT_REST ? 'full' : 'shape';
}

/** The focused node: the one under the pointer, else the selected one. */
export const focusOf = ({ hovered, selected }: Pick<Picture, 'hovered' | 'selected'>): number => (hovered >= 0 ? hovered : selected);

export function neighboursOf({ network, shown }: Pick<Picture, 'network' | 'shown'>, place: number): ReadonlySet<number> {
  const links = (network.linksAt[place] ?? []).filter((link) => shown.links[link] === 1);
  return new Set(
    links.flatMap((link) => [network.links[link]?.source ?? -1, network.links[link]?.target ?? -1]).filter((one) => one !== place),
  );
}
