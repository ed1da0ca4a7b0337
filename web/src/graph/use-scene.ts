import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Area } from './camera.ts';
import { listenToGestures } from './gestures.ts';
import type { Network, Shown } from './network.ts';
import { Scene } from './scene.ts';

export interface SceneProps {
  readonly network: Network;
  readonly scope: string;
  readonly shown: Shown;
  /** 1 for each search match; undefined without a search. */
  readonly matches: Uint8Array | undefined;
  /** Index of the selected node; -1 for none. */
  readonly selected: number;
  readonly onSelect: (place: number) => void;
  readonly onOpen: (place: number) => void;
}

/** An overlay that covers more of the window than this is a sheet, not a card. */
const SHEET = 0.75;

/** The part of a frame that its floating cards leave free. */
function freeArea(frame: HTMLElement): Area {
  const outer = frame.getBoundingClientRect();
  const area = { left: 0, top: 0, right: outer.width, bottom: outer.height };
  for (const card of frame.querySelectorAll('.g-card, .g-legend')) {
    const { left, right, top, width } = card.getBoundingClientRect();
    if (width === 0) continue;
    if (width > SHEET * outer.width) area.bottom = Math.min(area.bottom, top - outer.top);
    else if (left - outer.left < outer.right - right) area.left = Math.max(area.left, right - outer.left);
    else area.right = Math.min(area.right, left - outer.left);
  }
  return area;
}

/** Keeps a scene on a canvas in sync with the props while it is mounted. */
export function useScene(canvas: RefObject<HTMLCanvasElement | null>, props: SceneProps) {
  const { network, scope, shown, matches, selected } = props;
  const [zoom, setZoom] = useState(1);
  const [busy, setBusy] = useState(true);
  const [failed, setFailed] = useState(false);
  const [pinned, setPinned] = useState<ReadonlySet<number>>(new Set());
  const scene = useRef<Scene>(undefined);
  const laid = useRef('');
  const now = useRef(props);
  now.current = props;

  useLayoutEffect(() => {
    const element = canvas.current;
    const frame = element?.parentElement;
    if (!element || !frame) return;
    const onFailure = (): void => setFailed(true);
    const made = new Scene(element, { onZoom: setZoom, onBusy: setBusy, onPinned: setPinned, onFailure, area: () => freeArea(frame) });
    const stop = listenToGestures(element, made, {
      onSelect: (place) => now.current.onSelect(place),
      onOpen: (place) => now.current.onOpen(place),
    });
    scene.current = made;
    return () => {
      stop();
      made.close();
      scene.current = undefined;
    };
  }, []);
  useLayoutEffect(() => {
    scene.current?.lay(network, { shown, again: laid.current === scope });
    laid.current = scope;
  }, [network]);
  useEffect(() => scene.current?.show({ shown }), [shown]);
  useEffect(() => scene.current?.show({ selected }), [selected, network]);
  useEffect(() => scene.current?.show({ matches }), [matches, network]);
  return { scene, zoom, busy, failed, pinned };
}
