import { useEffect, useMemo, useState } from 'preact/hooks';
import { useAddress } from '../address.ts';
import { useServer } from '../shell/server.tsx';
import '../styles/table.css';
import '../styles/graph.css';
import { useLoaded } from '../parts/use-loaded.ts';
import { useDelayed } from '../parts/use-delayed.ts';
import { texts } from '../texts.ts';
import { graphTexts } from './texts.ts';
import { GraphBar } from './graph-bar.tsx';
import { GraphList } from './graph-list.tsx';
import { GraphPicture } from './graph-picture.tsx';
import { FilteredOut, GraphFailure, GraphSkeleton, NoRelations } from './graph-states.tsx';
import { Legend } from './legend.tsx';
import { shownOf, type Network, type Shown, networkOf } from './network.ts';
import type { SceneProps } from './use-scene.ts';
import type { ApiError } from '../api/client.ts';
import { graph, type GraphInput } from '../api/graph.ts';
import { Button } from '../parts/button.tsx';

const LIMITS = [500, 2000] as const;
const LEGEND_ID = 'graph-legend';

/** The selected memory by id, so that the selection survives a change of the network. */
function useSelection(network: Network | undefined) {
  const { seed } = useAddress();
  const [id, setId] = useState(seed);
  // A graph around one memory selects that memory.
  useEffect(() => {
    if (seed !== '') setId(seed);
  }, [seed]);
  const select = (place: number): void => setId(network?.nodes[place]?.id ?? '');
  return { id, place: network?.placeOf.get(id) ?? -1, select };
}

/** The visible part of the network and the search matches in it. */
function useShown(network: Network | undefined, keep: string) {
  const { hide, strength = 0, q } = useAddress();
  const shown = useMemo(
    () => (network === undefined ? undefined : shownOf(network, { hide, minStrength: strength, keep })),
    [network, hide.join(' '), strength, keep],
  );
  const found = useMemo(() => (network === undefined || shown === undefined ? undefined : findIn(network, shown, q)), [network, shown, q]);
  const matches = useMemo(() => (found === undefined ? undefined : flagsOf(found, network?.nodes.length ?? 0)), [found]);
  return { shown, found, matches };
}

/** Steps through the matches and centers each. */
function useNext(found: readonly number[] | undefined, { place, select }: Pick<ReturnType<typeof useSelection>, 'place' | 'select'>) {
  const [centred, setCentred] = useState(0);
  const at = found?.indexOf(place) ?? -1;
  const next = (): void => {
    const following = found?.[(at + 1) % Math.max(found.length, 1)];
    if (following === undefined) return;
    select(following);
    setCentred(centred + 1);
  };
  return { centred, next, said: found === undefined ? '' : graphTexts.found(found.length, at + 1) };
}

/** Entries and their relations, as a picture or as a list. */
export function GraphView() {
  const { ns, seed, depth } = useAddress();
  const { lost } = useServer();
  const [most, setMost] = useState<number>(LIMITS[0]);
  const [filterOpen, setFilterOpen] = useState(false);
  const loaded = useGraph({ namespace: ns, seed, depth, limit: most });
  const { network, error, failed } = loaded;
  const selection = useSelection(network);
  const { shown, found, matches } = useShown(network, seed);
  const { centred, next, said } = useNext(found, selection);
  useEffect(() => {
    document.title = texts.title(graphTexts.title);
  }, []);
  useEffect(() => {
    if (error?.offline === true) lost();
  }, [error]);
  const around = network?.nodes[network.placeOf.get(seed) ?? -1]?.label ?? '';
  const isReady = network !== undefined && shown !== undefined && !failed;
  return (
    <>
      <GraphBar
        around={around}
        filterOpen={filterOpen}
        legendId={LEGEND_ID}
        onFilter={() => setFilterOpen(!filterOpen)}
        found={said}
        onNext={next}
      />
      {!isReady && <Waiting loaded={loaded} />}
      {isReady && network.links.length === 0 && <NoRelations />}
      {isReady && network.links.length > 0 && (
        <Frame
          {...{ network, shown, matches, centred, selection, most, filterOpen }}
          scope={loaded.scope}
          onMore={() => setMost(LIMITS[1])}
        />
      )}
    </>
  );
}

interface FrameProps extends Pick<SceneProps, 'network' | 'scope' | 'shown' | 'matches'> {
  readonly centred: number;
  readonly selection: ReturnType<typeof useSelection>;
  readonly most: number;
  readonly filterOpen: boolean;
  readonly onMore: () => void;
}

/** The picture or the list, with their shared filters. */
function Frame({ network, shown, matches, scope, centred, selection, most, filterOpen, onMore }: FrameProps) {
  const isList = useAddress().as === 'list';
  return (
    <div class={isList ? 'g-frame g-frame--list' : 'g-frame'}>
      {isList ? (
        <GraphList network={network} shown={shown} matches={matches} />
      ) : (
        <GraphPicture {...{ network, shown, matches, scope, centred }} selected={selection.place} onSelect={selection.select} />
      )}
      <Legend id={LEGEND_ID} shown={shown} open={filterOpen} />
      {shown.linkCount === 0 && <FilteredOut />}
      {!isList && <GraphCount {...{ network, shown, most, onMore }} limit={LIMITS[1]} />}
    </div>
  );
}

/** Before the first data: nothing for a moment, then a skeleton or the error. */
function Waiting({ loaded: { error, again } }: { loaded: ReturnType<typeof useGraph> }) {
  const late = useDelayed();
  if (error !== undefined) return <GraphFailure error={error} onRetry={again} />;
  return late ? <GraphSkeleton /> : null;
}

const folded = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

/** The visible nodes whose label, tags or id contain every word, most important first; undefined without words. */
function findIn({ nodes, ranked }: Network, shown: Shown, words: string): readonly number[] | undefined {
  const wanted = folded(words)
    .split(/\s+/)
    .filter((word) => word !== '');
  if (wanted.length === 0) return undefined;
  return ranked.filter((place) => {
    const node = nodes[place];
    if (node === undefined || shown.nodes[place] !== 1) return false;
    const text = folded([node.label, node.id, ...node.tags].join('\n'));
    return wanted.every((word) => text.includes(word));
  });
}

/** A mask: 1 for each of these node indexes. */
function flagsOf(places: readonly number[], size: number): Uint8Array {
  const flags = new Uint8Array(size);
  for (const place of places) flags[place] = 1;
  return flags;
}

interface CountProps {
  readonly network: Network;
  readonly shown: Shown;
  /** Requested number of entries, and the maximum. */
  readonly most: number;
  readonly limit: number;
  readonly onMore: () => void;
}

/** How much of the store the picture shows, why not all, and how to show more. */
function GraphCount({ network, shown, most, limit, onMore }: CountProps) {
  const { ns, seed } = useAddress();
  const { namespaces } = useServer();
  const counted = namespaces.filter(({ namespace }) => seed !== '' || ns === '' || namespace === ns);
  const all = counted.reduce((sum, { entries }) => sum + entries, 0);
  return (
    <p class="row row--wrap num hint g-count">
      <span>{graphTexts.shown(shown.nodeCount, all, shown.linkCount)}</span>
      {network.truncated && most < limit && <Button look="sm" label={graphTexts.more(limit)} onClick={onMore} />}
      {network.truncated && most >= limit && <span>{graphTexts.narrow}</span>}
    </p>
  );
}

interface LoadedGraph {
  /** The last loaded graph; undefined before the first. */
  readonly network: Network | undefined;
  /** The request of the graph: another scope is another picture, not a change of the same one. */
  readonly scope: string;
  readonly error: ApiError | undefined;
  /** Whether only the error can be shown. A short outage does not remove the picture. */
  readonly failed: boolean;
  readonly again: () => void;
}

/** Loads the graph. The old graph stays until the new one is loaded. */
function useGraph(wish: GraphInput): LoadedGraph {
  const scope = JSON.stringify(wish.seed === '' ? [wish.namespace] : [wish.seed, wish.depth]);
  const load = async (signal: AbortSignal) => ({ scope, answer: await graph(wish, signal) });
  const { last, error, again } = useLoaded(load, { about: `${scope} ${wish.limit}` });
  const text = useMemo(() => JSON.stringify(last), [last]);
  // An unchanged graph must not move: the same answer gives the same network.
  const network = useMemo(() => last && networkOf(last.answer), [text]);
  const failed = error !== undefined && !(error.offline && last?.scope === scope);
  return { network, scope: last?.scope ?? '', error, failed, again };
}
