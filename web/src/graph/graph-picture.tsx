import { useEffect, useRef } from 'preact/hooks';
import { go } from '../address.ts';
import { isKey, pressed } from '../shell/keys.ts';
import { useShortcuts } from '../shell/shortcuts.ts';
import { texts } from '../texts.ts';
import { graphTexts } from './texts.ts';
import { entryTexts } from '../entry/texts.ts';
import { groupsOf, SelectedCard } from './selected-card.tsx';
import type { Network, Shown } from './network.ts';
import type { Scene } from './scene.ts';
import { useScene, type SceneProps } from './use-scene.ts';
import { neighboursOf } from './picture.ts';
import type { Subject } from './viewport.ts';
import { IconButton } from '../parts/button.tsx';

const KEYS_ID = 'graph-keys';
const PAN_STEP = 70;

interface PictureProps extends Omit<SceneProps, 'onOpen'> {
  /** Increased to center the selected node. */
  readonly centred: number;
}

/** Description of the selected node for screen readers. */
function saidOf(network: Network, shown: Shown, place: number): string {
  const node = network.nodes[place];
  if (node === undefined) return '';
  const groups = groupsOf(network, shown, place);
  const ends = groups.reduce((sum, group) => sum + group.ends.length, 0);
  return graphTexts.said(network.titles[place]?.whole ?? '', [
    node.namespace,
    ...(node.priority === 'normal' ? [] : [`${entryTexts.details.priority} ${texts.priorities[node.priority]}`]),
    ...(node.superseded ? [graphTexts.superseded] : []),
    graphTexts.saidRelations(ends),
    ...groups.map((group) => `${entryTexts.types[group.inward ? 'in' : 'out'][group.type]} ${group.ends.length}`),
  ]);
}

const nextTo = ({ view }: Scene, selected: number, key: ArrowKey): number =>
  selected < 0 ? nearestTo(view.subject, view.middle()) : neighbourTowards(view.subject, selected, key);

function act(event: KeyboardEvent, scene: Scene | undefined, { network, selected, onSelect }: PictureProps): void {
  if (scene === undefined || event.metaKey || event.ctrlKey || event.altKey) return;
  const { key } = event;
  if (isArrow(key) && event.shiftKey) {
    const [x, y] = DIRECTIONS[key];
    scene.view.pan(-x * PAN_STEP, -y * PAN_STEP);
  } else if (isArrow(key)) {
    const next = scene.isSettled ? nextTo(scene, selected, key) : -1;
    if (next >= 0) {
      onSelect(next);
      scene.view.reveal(next);
    }
  } else if (isKey(event, 'openNode') && selected >= 0) go({ id: network.nodes[selected]?.id ?? '' });
  else if (isKey(event, 'close') && selected >= 0) onSelect(-1);
  else return;
  event.preventDefault();
}

export function GraphPicture(props: PictureProps) {
  const { network, shown, selected, onSelect, centred } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  const onOpen = (place: number): void => go({ id: network.nodes[place]?.id ?? '' });
  const { scene, zoom, busy, failed, pinned } = useScene(canvas, { ...props, onOpen });
  const zoomBy = (factor: number): void => scene.current?.view.zoomBy(factor);
  const fit = (): void => scene.current?.view.fit();
  useShortcuts(pressed({ zoomIn: () => zoomBy(ZOOM_STEP), zoomOut: () => zoomBy(1 / ZOOM_STEP), fit }));
  const before = useRef(centred);
  useEffect(() => {
    // Centering requested before the list was shown is not repeated.
    if (before.current !== centred && selected >= 0 && scene.current?.isSettled === true) scene.current.view.centre(selected);
    before.current = centred;
  }, [centred]);
  const clear = (place: number): void => {
    onSelect(place);
    // The pressed button disappears with the card.
    if (place < 0) canvas.current?.focus();
    else if (scene.current?.isSettled === true) scene.current.view.reveal(place);
  };
  return (
    <>
      <canvas
        ref={canvas}
        class="g-canvas"
        tabIndex={0}
        role="application"
        aria-roledescription={graphTexts.kind}
        aria-label={graphTexts.canvas(shown.nodeCount, shown.linkCount)}
        aria-describedby={KEYS_ID}
        aria-busy={busy}
        onKeyDown={(event) => act(event, scene.current, props)}
      />
      <p class="sr" id={KEYS_ID}>
        {graphTexts.keys}
      </p>
      <p class="sr" role="status">
        {saidOf(network, shown, selected)}
      </p>
      {busy && <p class="hint g-busy">{graphTexts.layingOut}</p>}
      {failed && (
        <p class="hint g-busy" role="alert">
          {graphTexts.notLaidOut}
        </p>
      )}
      <ZoomButtons zoom={zoom} onZoom={zoomBy} onFit={fit} />
      {selected >= 0 && (
        <SelectedCard
          network={network}
          shown={shown}
          place={selected}
          pinned={pinned.has(selected)}
          onUnpin={() => scene.current?.unpin(selected)}
          onSelect={clear}
        />
      )}
    </>
  );
}

const ZOOM_STEP = 1.3;

interface ZoomProps {
  readonly zoom: number;
  readonly onZoom: (factor: number) => void;
  readonly onFit: () => void;
}

function ZoomButtons({ zoom, onZoom, onFit }: ZoomProps) {
  return (
    <div class="g-float g-zoom" role="group" aria-label={graphTexts.zoom}>
      <IconButton icon="minus" label={graphTexts.zoomOut} size="sm" onClick={() => onZoom(1 / ZOOM_STEP)} />
      <span class="num">{graphTexts.percent(zoom)}</span>
      <IconButton icon="plus" label={graphTexts.zoomIn} size="sm" onClick={() => onZoom(ZOOM_STEP)} />
      <IconButton icon="fit" label={graphTexts.fit} size="sm" onClick={onFit} />
    </div>
  );
}

const DIRECTIONS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] } as const;
type ArrowKey = keyof typeof DIRECTIONS;

/** Sideways distance weighs more than distance ahead. A related node may be farther away. */
const ASIDE = 2;
const RELATED = 0.55;
/** Tangent of the widest angle that still counts as the direction. */
const WIDEST = 1.5;

const isArrow = (key: string): key is ArrowKey => Object.hasOwn(DIRECTIONS, key);

/** The nearest visible node in a direction, related ones first; -1 if there is none. */
function neighbourTowards(subject: Subject, from: number, key: ArrowKey): number {
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
function nearestTo({ network, shown, positions }: Subject, [x, y]: readonly [number, number]): number {
  let [best, least] = [-1, Number.POSITIVE_INFINITY];
  for (const place of network.nodes.keys()) {
    if (shown.nodes[place] !== 1) continue;
    const away = Math.hypot((positions[place * 2] ?? 0) - x, (positions[place * 2 + 1] ?? 0) - y);
    if (away < least) [best, least] = [place, away];
  }
  return best;
}
