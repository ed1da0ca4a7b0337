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
import { isArrow, nearestTo, neighbourTowards, DIRECTIONS, type ArrowKey } from './walking.ts';
import { ZoomButtons, ZOOM_STEP } from './zoom-buttons.tsx';

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

/** Keyboard control of the focused canvas. */
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

/** The picture with its floating controls. */
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
      {busy && <p class="g-busy">{graphTexts.layingOut}</p>}
      {failed && (
        <p class="g-busy" role="alert">
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
