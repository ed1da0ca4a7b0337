import { useEffect, useRef, useState } from 'preact/hooks';
import { keySigns } from '../shell/keys.ts';
import { texts } from '../texts.ts';
import { Icon, type IconName } from './icon.tsx';
import { useUndoKey } from './use-undo-key.ts';
import { ApiError } from '../api/client.ts';
import { watched } from './watched.ts';
import { IconButton } from './button.tsx';

const SHOWN_MS = 5_000;
/** The same duration as the animated line: see `.toast-life`. */
const UNDO_MS = 10_000;
const MOST = 3;

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly icon: IconName;
  readonly bad: boolean;
  readonly undo: (() => void) | undefined;
  readonly left: Countdown;
}

let next = 1;
const shown = watched<readonly Toast[]>([]);

function drop(id: number): void {
  const current = shown.get();
  current.find((one) => one.id === id)?.left.stop();
  shown.set(current.filter((one) => one.id !== id));
}

const lastOffer = (toasts: readonly Toast[]): Toast | undefined => toasts.findLast(({ undo }) => undo !== undefined);

function takeBack(offer: Toast | undefined): void {
  if (offer === undefined) return;
  drop(offer.id);
  offer.undo?.();
}

/** Makes room for one more: information is removed before toasts with undo. */
function makeRoom(): void {
  const current = shown.get();
  const [oldest] = [...current.filter(({ undo }) => undo === undefined), ...current];
  if (current.length >= MOST && oldest !== undefined) drop(oldest.id);
}

interface ToastOptions {
  readonly icon?: IconName;
  readonly bad?: boolean;
  /** Undo: adds a button. The toast stays for ten seconds and while the pointer or focus is on it. */
  readonly undo?: () => void;
}

/** Shows a message that needs no response and disappears after some seconds. */
export function toast(text: string, { icon, bad = false, undo }: ToastOptions = {}): void {
  const id = next++;
  const left = new Countdown(undo === undefined ? SHOWN_MS : UNDO_MS, () => drop(id));
  makeRoom();
  shown.set([...shown.get(), { id, text, icon: icon ?? (bad ? 'warn' : 'check'), bad, undo, left }]);
}

/** Copies text and says so; explains what to do if the browser does not allow it. */
export async function copy(text: string | Promise<string>, said: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(await text);
    toast(said);
  } catch {
    toast(texts.notCopied, { bad: true });
  }
}

/** The container of toasts: one on the page and one in each open dialog, which makes everything outside inert. */
export function Toasts() {
  const toasts = shown.use();
  const last = lastOffer(toasts);
  const place = useRef<HTMLDivElement>(null);
  // Keys come faster than renders: each undoes the latest action.
  const key = useUndoKey(last?.id, () => takeBack(lastOffer(shown.get())), place);
  return (
    <div ref={place} class="toasts" aria-label={texts.notifications} aria-live="polite" role="region">
      {toasts.map((one) => (
        <ShownToast key={one.id} toast={one} undoKey={one === last ? key : undefined} />
      ))}
    </div>
  );
}

function ShownToast({ toast: own, undoKey }: { toast: Toast; undoKey: ReturnType<typeof useUndoKey> }) {
  const { id, text, icon, bad, undo, left } = own;
  const element = useRef<HTMLDivElement>(null);
  const resume = (): void => {
    if (element.current?.matches(':hover, :focus-within') !== true) left.resume();
  };
  // It may be removed with its dialog while the pointer is on it.
  useEffect(() => () => left.resume(), []);
  const leave = (act: () => void): void => {
    const around = element.current?.closest('dialog') ?? document.querySelector<HTMLElement>('#main');
    act();
    around?.focus();
  };
  return (
    <div
      ref={element}
      class={bad ? 'toast toast--bad' : 'toast'}
      role={bad ? 'alert' : undefined}
      onMouseEnter={() => left.pause()}
      onMouseLeave={resume}
      onFocusIn={() => left.pause()}
      onFocusOut={resume}
    >
      <Icon name={icon} />
      <span>{text}</span>
      {undo !== undefined && (
        <button type="button" class="btn btn--sm" onClick={() => leave(() => takeBack(own))}>
          {texts.undo}
          {undoKey !== undefined && <kbd aria-hidden="true">{keySigns(undoKey)[0]?.join('+')}</kbd>}
        </button>
      )}
      <IconButton icon="x" label={texts.dismiss} size="xs" onClick={() => leave(() => drop(id))} />
      {undo !== undefined && (
        <svg class="toast-life" viewBox="0 0 100 2" preserveAspectRatio="none" aria-hidden="true">
          <rect width="100" height="2" />
        </svg>
      )}
    </div>
  );
}

/** A timer that can be paused. */
class Countdown {
  readonly #act: () => void;
  #leftMs: number;
  #since = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(ms: number, act: () => void) {
    this.#leftMs = ms;
    this.#act = act;
    this.resume();
  }

  pause(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#leftMs -= performance.now() - this.#since;
  }

  /** Resumes with the remaining time; does nothing if it runs or is over. */
  resume(): void {
    if (this.#timer !== undefined || this.#leftMs <= 0) return;
    this.#since = performance.now();
    this.#timer = setTimeout(() => {
      this.#leftMs = 0;
      this.#act();
    }, this.#leftMs);
  }

  stop(): void {
    this.pause();
    this.#leftMs = 0;
  }
}

/** Whether an action runs, and a function that runs one and shows its failure in a toast. */
export function useBusy() {
  const [isBusy, setIsBusy] = useState(false);
  const during = async (work: () => Promise<unknown>, refused: (message: string) => string): Promise<boolean> => {
    setIsBusy(true);
    const isDone = await attempt(work, refused);
    setIsBusy(false);
    return isDone;
  };
  return { isBusy, during };
}

/** Runs an action and shows a failure in a toast. Resolves with whether it succeeded. */
export async function attempt(work: () => Promise<unknown>, refused: (message: string) => string): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    toast(refused(error.message), { bad: true });
    return false;
  }
}
