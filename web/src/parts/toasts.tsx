import { useEffect, useState } from 'preact/hooks';
import { texts } from '../texts.ts';
import { Icon, type IconName } from './icon.tsx';

const SHOWN_MS = 5_000;
const MOST = 3;

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly icon: IconName;
  readonly bad: boolean;
}

let next = 1;
let current: readonly Toast[] = [];
const listeners = new Set<(toasts: readonly Toast[]) => void>();

function show(toasts: readonly Toast[]): void {
  current = toasts;
  for (const listener of listeners) listener(toasts);
}

const drop = (id: number): void => show(current.filter((one) => one.id !== id));

/** Tells the person something that needs no answer; gone after some seconds. */
export function toast(text: string, options: { icon?: IconName; bad?: boolean } = {}): void {
  const bad = options.bad ?? false;
  const id = next++;
  show([...current.slice(1 - MOST), { id, text, icon: options.icon ?? (bad ? 'warn' : 'check'), bad }]);
  setTimeout(() => drop(id), SHOWN_MS);
}

/** Copies text and says so; says what to do where the browser does not allow it. */
export async function copy(text: string, said: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast(said);
  } catch {
    toast(texts.notCopied, { bad: true });
  }
}

/** Where toasts appear: once on the page, and once in every open dialog, which hides and silences everything outside itself. */
export function Toasts() {
  const [toasts, setToasts] = useState(current);
  useEffect(() => {
    setToasts(current);
    listeners.add(setToasts);
    return () => void listeners.delete(setToasts);
  }, []);
  return (
    <div class="toasts" aria-label={texts.notifications} role="region">
      {toasts.map(({ id, text, icon, bad }) => (
        <div key={id} class={bad ? 'toast toast--bad' : 'toast'} role={bad ? 'alert' : 'status'}>
          <Icon name={icon} />
          <span>{text}</span>
          <button type="button" class="icon-btn icon-btn--sm" aria-label={texts.dismiss} onClick={() => drop(id)}>
            <Icon name="x" size="sm" />
          </button>
        </div>
      ))}
    </div>
  );
}
