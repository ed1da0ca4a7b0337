import type { ComponentType } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import { toast } from '../parts/toasts.tsx';
import { texts } from '../texts.ts';
import { isKey, pressed } from './keys.ts';
import { showOverlay, showOverlaysWith, type Overlay } from './overlay.ts';
import { useRecentSearches } from './recent-searches.ts';
import { useShortcuts } from './shortcuts.ts';

interface OverlayProps {
  readonly onClose: () => void;
}
/** Their code is fetched when they are first shown. */
const OVERLAYS = {
  palette: async () => (await import('./palette.tsx')).Palette,
  help: async () => (await import('./keyboard-help.tsx')).KeyboardHelp,
} as const satisfies Record<Overlay, () => Promise<ComponentType<OverlayProps>>>;

/** A question that has to be answered first. The details of a memory are none. */
const isAsking = (): boolean => document.querySelector('dialog[open]:not(.drawer)') !== null;

/** What floats above the page when a key or a button asks for it. One on the page. */
export function Overlays() {
  const [shown, setShown] = useState<{ readonly Overlay: ComponentType<OverlayProps> }>();
  useRecentSearches();
  useLayoutEffect(() => {
    showOverlaysWith((overlay) => {
      OVERLAYS[overlay]().then(
        (Overlay) => setShown({ Overlay }),
        () => toast(texts.errors.network, { bad: true }),
      );
    });
    const onKey = (event: KeyboardEvent): void => {
      if (!isKey(event, 'commands') || event.isComposing) return;
      // The browser has something of its own on this key.
      event.preventDefault();
      if (!isAsking()) showOverlay('palette');
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  useShortcuts(pressed({ help: () => showOverlay('help') }));
  return shown === undefined ? null : <shown.Overlay onClose={() => setShown(undefined)} />;
}
