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
/** Loaded when first shown. */
const OVERLAYS = {
  palette: async () => (await import('./palette.tsx')).Palette,
  help: async () => (await import('./keyboard-help.tsx')).KeyboardHelp,
} as const satisfies Record<Overlay, () => Promise<ComponentType<OverlayProps>>>;

/** Whether a modal question is open. The details of a memory do not count. */
const isAsking = (): boolean => document.querySelector('dialog[open]:not(.drawer)') !== null;

/** The palette and the keyboard help, opened by keys or buttons. Mounted once. */
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
      // The browser has its own action for this key.
      event.preventDefault();
      if (!isAsking()) showOverlay('palette');
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  useShortcuts(pressed({ help: () => showOverlay('help') }));
  return shown === undefined ? null : <shown.Overlay onClose={() => setShown(undefined)} />;
}
