import { keySigns, type KeyName } from './keys.ts';
import { texts } from '../texts.ts';

/** Key caps of an action; `first` shows only the first alternative. */
export function KeySigns({ name, only }: { name: KeyName; only?: 'first' }) {
  const all = keySigns(name);
  // Four arrow keys need no words between them.
  const isPair = all.length === 2;
  return (
    <span class="keys">
      {(only === 'first' ? all.slice(0, 1) : all).map((together, at) => [
        at > 0 && isPair && <span class="hint keys-or">{texts.keyboard.or}</span>,
        ...together.map((one) => <kbd key={one}>{one}</kbd>),
      ])}
    </span>
  );
}
