import type { GraphResponse, GraphNode, GraphRelation } from '../api/graph.ts';
import type { RelationType } from '../../../src/memory/relation.ts';
import { titleFor, type Title } from './titles.ts';

export type { RelationType };

/** A relation between two indexes of `Network.nodes`. */
export interface NetworkLink {
  readonly source: number;
  readonly target: number;
  readonly type: RelationType;
  readonly strength: number;
  /** Curvature relative to its length, so that several links between the same nodes do not overlap. */
  readonly bow: number;
  readonly relation: GraphRelation;
}

interface Cluster {
  readonly namespace: string;
  readonly members: readonly number[];
}

/** The server's response with indexes instead of ids. The same entries give the same network in any order. */
export interface Network {
  readonly nodes: readonly GraphNode[];
  /** Names of each node, computed once. */
  readonly titles: readonly Title[];
  readonly links: readonly NetworkLink[];
  /** Indexes of the links of each node. */
  readonly linksAt: readonly (readonly number[])[];
  /** Largest first. */
  readonly clusters: readonly Cluster[];
  readonly placeOf: ReadonlyMap<string, number>;
  /** Most important first: the priority for labels. */
  readonly ranked: readonly number[];
  readonly truncated: boolean;
}

const BOW = 0.13;

/** Radius at full size, by importance. */
export const radiusOf = ({ importance }: GraphNode): number => 4 + 9 * importance ** 1.8;

export const otherEnd = ({ source, target }: Pick<NetworkLink, 'source' | 'target'>, place: number): number =>
  source === place ? target : source;

export function networkOf(answer: GraphResponse): Network {
  const nodes = answer.nodes.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const placeOf = new Map(nodes.map(({ id }, place) => [id, place]));
  const links = linksOf(answer.edges, placeOf);
  const linksAt = nodes.map((): number[] => []);
  for (const [place, { source, target }] of links.entries()) {
    linksAt[source]?.push(place);
    linksAt[target]?.push(place);
  }
  return {
    nodes,
    titles: nodes.map(({ label }) => titleFor(label)),
    links,
    linksAt,
    clusters: clustersOf(nodes),
    placeOf,
    ranked: [...nodes.keys()].toSorted((a, b) => weight(nodes[b]) - weight(nodes[a]) || a - b),
    truncated: answer.truncated,
  };
}

const PRIORITY_WEIGHT = { high: 0.2, normal: 0, low: -0.1 } as const;
const weight = (node: GraphNode | undefined): number =>
  node === undefined
    ? 0
    : node.importance + PRIORITY_WEIGHT[node.priority] + Math.min(node.degree, 20) * 0.02 - (node.superseded ? 0.3 : 0);

const keyOf = ({ sourceId, targetId, type }: GraphRelation): string => `${sourceId} ${targetId} ${type}`;

function linksOf(relations: readonly GraphRelation[], placeOf: ReadonlyMap<string, number>): NetworkLink[] {
  const between = new Map<string, number>();
  return relations
    .toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
    .flatMap((relation) => {
      const [source, target] = [placeOf.get(relation.sourceId), placeOf.get(relation.targetId)];
      if (source === undefined || target === undefined) return [];
      const pair = source < target ? `${source} ${target}` : `${target} ${source}`;
      const nth = between.get(pair) ?? 0;
      between.set(pair, nth + 1);
      // The curve must not depend on the direction: two opposite links must not overlap.
      const side = (nth % 2 === 0 ? 1 : -1) * (source < target ? 1 : -1);
      return [{ source, target, type: relation.type, strength: relation.strength, bow: side * BOW * (1 + (nth >> 1)), relation }];
    });
}

function clustersOf(nodes: readonly GraphNode[]): Cluster[] {
  const members = new Map<string, number[]>();
  for (const [place, { namespace }] of nodes.entries()) {
    const list = members.get(namespace);
    if (list === undefined) members.set(namespace, [place]);
    else list.push(place);
  }
  return [...members]
    .map(([namespace, places]) => ({ namespace, members: places }))
    .toSorted((a, b) => b.members.length - a.members.length || (a.namespace < b.namespace ? -1 : 1));
}

interface Selection {
  readonly hide: readonly string[];
  readonly minStrength: number;
  /** Id of an entry that is shown even without visible relations. */
  readonly keep: string;
}

/** Masks of the visible part of a network. */
export interface Shown {
  /** 1 for each visible link. */
  readonly links: Uint8Array;
  /** 1 for each visible node: those with a visible link. */
  readonly nodes: Uint8Array;
  readonly linkCount: number;
  readonly nodeCount: number;
  /** Links that are strong enough, by type, including hidden types. */
  readonly byType: Readonly<Record<RelationType, number>>;
}

export function shownOf(network: Network, { hide, minStrength, keep }: Selection): Shown {
  const hidden = new Set(hide);
  const links = new Uint8Array(network.links.length);
  const nodes = new Uint8Array(network.nodes.length);
  const byType: Record<RelationType, number> = { similar: 0, supersedes: 0, references: 0, contradicts: 0, elaborates: 0 };
  for (const [place, { source, target, type, strength }] of network.links.entries()) {
    if (strength < minStrength) continue;
    byType[type] += 1;
    if (hidden.has(type)) continue;
    links[place] = nodes[source] = nodes[target] = 1;
  }
  const kept = network.placeOf.get(keep);
  if (kept !== undefined) nodes[kept] = 1;
  return { links, nodes, linkCount: sum(links), nodeCount: sum(nodes), byType };
}

const sum = (flags: Uint8Array): number => flags.reduce((total, flag) => total + flag, 0);
