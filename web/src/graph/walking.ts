import { neighboursOf } from './picture.ts';
import type { Subject } from './viewport.ts';

export const DIRECTIONS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] } as const;
export type ArrowKey = keyof typeof DIRECTIONS;

/** Sideways distance weighs more than distance ahead. A related node may be farther away. */
const ASIDE = 2;
const RELATED = 0.55;
/** Tangent of the widest angle that still counts as the direction. */
const WIDEST = 1.5;

export const isArrow = (key: string): key is ArrowKey => Object.hasOwn(DIRECTIONS, key);

/** The nearest visible node in a direction, related ones first; -1 if there is none. */
export function neighbourTowards(subject: Subject, from: number, key: ArrowKey): number {
  const [dx, dy] = DIRECTIONS[key];
  const { network, shown, positions } = subject;
  const [fromX = 0, fromY = 0] = positions.subarray(from * 2, from * 2 + 2);
  const related = neighboursOf(subject, from);
  let [best, least] = [-1, Number.POSITIVE_INFINITY];
  for (const place of network.nodes.keys()) {
    if (place === from || shown.nodes[place] !== 1) continue;
    const [x, y] = [(positions[place * 2] ?? 0) - fromX, (positions[place * 2 + 1] ?? 0) - fromY];
    const [ahead, aside] = [x * dx + y * dy, Math.abs(x * dy) + Math.abs(y * dx)];
    if (ahead <= 0 || aside > ahead * WIDEST) continue;
    const cost = (ahead + ASIDE * aside) * (related.has(place) ? RELATED : 1);
    if (cost < least) [best, least] = [place, cost];
  }
  return best;
}

/** The visible node nearest to a world position; -1 if none is visible. */
export function nearestTo({ network, shown, positions }: Subject, [x, y]: readonly [number, number]): number {
  let [best, least] = [-1, Number.POSITIVE_INFINITY];
  for (const place of network.nodes.keys()) {
    if (shown.nodes[place] !== 1) continue;
    const away = Math.hypot((positions[place * 2] ?? 0) - x, (positions[place * 2 + 1] ?? 0) - y);
    if (away < least) [best, least] = [place, away];
  }
  return best;
}
