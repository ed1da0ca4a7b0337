export type Overlay = 'palette' | 'help';

let ask: (overlay: Overlay) => void = () => undefined;

/** Shows the commands or the help above everything else. */
export const showOverlay = (overlay: Overlay): void => ask(overlay);

/** Who shows them. */
export function showOverlaysWith(show: (overlay: Overlay) => void): void {
  ask = show;
}
