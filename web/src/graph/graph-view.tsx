import { useEffect, useMemo, useState } from 'preact/hooks';
import { useAddress } from '../address.ts';
import { useServer } from '../shell/server.tsx';
import '../styles/graph.css';
import { useLate } from '../parts/use-late.ts';
import { texts } from '../texts.ts';
import { graphTexts } from './texts.ts';
import { findIn, flagsOf } from './finding.ts';
import { GraphBar } from './graph-bar.tsx';
import { GraphCount } from './graph-count.tsx';
import { GraphList } from './graph-list.tsx';
import { GraphPicture } from './graph-picture.tsx';
import { FilteredOut, GraphFailure, GraphSkeleton, NoRelations } from './graph-states.tsx';
import { Legend } from './legend.tsx';
import { shownOf, type Network } from './network.ts';
import { useGraph } from './use-graph.ts';
import type { SceneProps } from './use-scene.ts';

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
  const { version, lost } = useServer();
  const [most, setMost] = useState<number>(LIMITS[0]);
  const [filterOpen, setFilterOpen] = useState(false);
  const loaded = useGraph({ namespace: ns, seed, depth, limit: most }, version);
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
  const late = useLate();
  if (error !== undefined) return <GraphFailure error={error} onRetry={again} />;
  return late ? <GraphSkeleton /> : null;
}
