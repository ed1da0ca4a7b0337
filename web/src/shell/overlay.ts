export type Overlay = 'palette' | 'help';

let ask: (overlay: Overlay) => void = () => undefined;

export const showOverlay = (overlay: Overlay): void => ask(overlay);

/** Registers the component that shows them. */
export function showOverlaysWith(show: (overlay: Overlay) => void): void {
  ask = show;
}
