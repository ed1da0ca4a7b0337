import {
  forceCollide,
  forceLink,
  forceManyBody,
  forceSimulation,
  forceX,
  forceY,
  type Simulation,
  type SimulationLinkDatum,
  type SimulationNodeDatum,
} from 'd3-force';

/** The input of a layout. The same task always gives the same result. */
export interface LayoutTask {
  /** A hash of each node's id, which determines where it starts. */
  readonly seeds: Uint32Array;
  readonly radii: Float32Array;
  /** Cluster index of each node. */
  readonly cluster: Uint16Array;
  /** Source and target of each link: s, t, s, t, … */
  readonly ends: Uint32Array;
  readonly strengths: Float32Array;
  /** Current positions: x, y, x, y, …; NaN for new nodes. Empty for a first layout. */
  readonly start: Float32Array;
  readonly pinned: Uint32Array;
  readonly wide: boolean;
}

interface Body extends SimulationNodeDatum {
  readonly index: number;
  readonly radius: number;
  readonly area: ClusterArea;
  x: number;
  y: number;
}
interface ClusterArea extends SimulationNodeDatum {
  readonly radius: number;
  x: number;
  y: number;
}

const SPACING = { few: 29, many: 21 } as const;
const HOME_TICKS = 160;
const FEW = 400;
const WARM_AGAIN = 0.25;
const WIDENING = 1.5;

/** A running layout: forces between related entries, and a separate area for each namespace. */
export class Layout {
  readonly #bodies: readonly Body[];
  readonly #simulation: Simulation<Body, SimulationLinkDatum<Body>>;

  constructor(task: LayoutTask) {
    const areas = clusterAreasOf(task);
    this.#bodies = bodiesOf(task, areas);
    const few = this.#bodies.length <= FEW;
    this.#simulation = forceSimulation([...this.#bodies])
      .stop()
      .alpha(task.start.some((value) => !Number.isNaN(value)) ? WARM_AGAIN : 1)
      .alphaMin(0.012)
      .alphaDecay(few ? 0.018 : 0.032)
      .velocityDecay(0.42)
      .force(
        'charge',
        forceManyBody<Body>()
          .strength(few ? -150 : -70)
          .distanceMax(few ? 420 : 260)
          .theta(few ? 0.9 : 1.1),
      )
      .force('link', linkForce(task, this.#bodies))
      .force('collide', forceCollide<Body>((body) => body.radius + 7).strength(0.7))
      .force('x', forceX<Body>((body) => body.area.x).strength(few ? 0.055 : 0.09))
      .force('y', forceY<Body>((body) => body.area.y).strength(few ? 0.075 : 0.09));
    for (const place of task.pinned) this.#fix(place);
  }

  /** One step. Returns whether the layout has settled. */
  step(): boolean {
    this.#simulation.tick();
    return this.#simulation.alpha() < this.#simulation.alphaMin();
  }

  positions(): Float32Array<ArrayBuffer> {
    const positions = new Float32Array(this.#bodies.length * 2);
    for (const { index, x, y } of this.#bodies) positions.set([x, y], index * 2);
    return positions;
  }

  /** Moves a node and pins it; its neighbours follow. */
  hold(place: number, x: number, y: number): void {
    const body = this.#bodies[place];
    if (body === undefined) return;
    Object.assign(body, { x, y });
    this.#fix(place);
    this.#simulation.alpha(Math.max(this.#simulation.alpha(), WARM_AGAIN));
  }

  #fix(place: number): void {
    const body = this.#bodies[place];
    if (body !== undefined) Object.assign(body, { fx: body.x, fy: body.y });
  }

  free(place: number): void {
    const body = this.#bodies[place];
    if (body === undefined) return;
    Object.assign(body, { fx: null, fy: null });
    this.#simulation.alpha(Math.max(this.#simulation.alpha(), WARM_AGAIN));
  }
}

/** Strength of a link: links inside a namespace hold it together; links between namespaces must not merge them. */
function linkForce({ ends, strengths }: LayoutTask, bodies: readonly Body[]) {
  const links = [...strengths].map((strength, at) => ({ source: ends[at * 2] ?? 0, target: ends[at * 2 + 1] ?? 0, strength }));
  const degrees = new Uint16Array(bodies.length);
  for (const { source, target } of links) {
    degrees[source] = (degrees[source] ?? 0) + 1;
    degrees[target] = (degrees[target] ?? 0) + 1;
  }
  const pulls = links.map(({ source, target, strength }) => {
    const far = bodies[source]?.area !== bodies[target]?.area;
    return ((0.35 + 0.65 * strength) / Math.min(degrees[source] ?? 1, degrees[target] ?? 1)) * (far ? 0.06 : 1);
  });
  const lengths = links.map(({ strength }) => 62 + 44 * (1 - strength));
  return forceLink<Body, SimulationLinkDatum<Body>>(links)
    .distance((_, at) => lengths[at] ?? 80)
    .strength((_, at) => pulls[at] ?? 0.1);
}

/** A place for each cluster: without overlaps, clusters with more relations between them nearer. */
function clusterAreasOf({ cluster, ends, wide }: LayoutTask): readonly ClusterArea[] {
  const sizes: number[] = [];
  for (const at of cluster) sizes[at] = (sizes[at] ?? 0) + 1;
  const spacing = SPACING[cluster.length <= FEW ? 'few' : 'many'];
  const areas = sizes.map((size): ClusterArea => ({ radius: spacing * Math.sqrt(size) + 40, x: 0, y: 0 }));
  for (const [at, area] of areas.entries()) {
    const angle = at * 2.399963;
    const away = 60 * Math.sqrt(at);
    Object.assign(area, { x: away * Math.cos(angle), y: away * Math.sin(angle) });
  }
  const between = new Map<string, { source: number; target: number; count: number }>();
  for (let at = 0; at < ends.length; at += 2) {
    const [source, target] = [cluster[ends[at] ?? 0] ?? 0, cluster[ends[at + 1] ?? 0] ?? 0].toSorted((a, b) => a - b) as [number, number];
    if (source === target) continue;
    const one = between.get(`${source} ${target}`) ?? { source, target, count: 0 };
    one.count += 1;
    between.set(`${source} ${target}`, one);
  }
  const pairs = [...between.values()];
  forceSimulation([...areas])
    .stop()
    .force(
      'collide',
      forceCollide<ClusterArea>(({ radius }) => radius)
        .strength(1)
        .iterations(3),
    )
    .force('x', forceX<ClusterArea>(0).strength(wide ? 0.05 : 0.11))
    .force('y', forceY<ClusterArea>(0).strength(wide ? 0.11 : 0.05))
    .force(
      'link',
      forceLink<ClusterArea, SimulationLinkDatum<ClusterArea>>(pairs.map(({ source, target }) => ({ source, target })))
        .distance(({ source, target }) => (source as ClusterArea).radius + (target as ClusterArea).radius)
        .strength((_, at) => Math.min(0.02 * (pairs[at]?.count ?? 1), 0.2)),
    )
    .tick(HOME_TICKS);
  const [across, down] = wide ? [WIDENING, 1] : [1, WIDENING];
  return areas.map((area) => ({
    ...area,
    x: area.x * (areas.length > 1 ? Math.sqrt(across) : 1),
    y: area.y * (areas.length > 1 ? Math.sqrt(down) : 1),
  }));
}

/** Pseudo-random numbers from 0 to 1, seeded by a hash. */
const fraction = (seed: number, salt: number): number => {
  let mixed = Math.imul(seed ^ salt, 0x9e3779b1);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b);
  return ((mixed ^ (mixed >>> 13)) >>> 0) / 0x1_0000_0000;
};

function bodiesOf({ seeds, radii, cluster, start, wide }: LayoutTask, areas: readonly ClusterArea[]): readonly Body[] {
  const [across, down] = wide ? [1.2, 0.85] : [0.85, 1.2];
  return [...seeds].map((seed, index) => {
    const area = areas[cluster[index] ?? 0] ?? { radius: 0, x: 0, y: 0 };
    const [before = NaN, beforeY = NaN] = [start[index * 2], start[index * 2 + 1]];
    const radius = radii[index] ?? 6;
    if (!Number.isNaN(before)) return { index, radius, area, x: before, y: beforeY };
    const angle = 2 * Math.PI * fraction(seed, 0x51ed27);
    const away = area.radius * Math.sqrt(fraction(seed, 0x2545f4));
    return { index, radius, area, x: area.x + across * away * Math.cos(angle), y: area.y + down * away * Math.sin(angle) };
  });
}
