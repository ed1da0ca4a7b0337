/** The table of all keyboard shortcuts: it drives both the help and the actions. */

interface Keys {
  readonly group: 'anywhere' | 'list' | 'memory' | 'graph';
  /** `KeyboardEvent.key`; any of them triggers the action. */
  readonly press: readonly string[];
  /** Together with Ctrl, or Cmd on a Mac. */
  readonly mod?: true;
  readonly shift?: true;
}

/** In the order of the help. */
export const KEYS = {
  commands: { group: 'anywhere', press: ['k'], mod: true },
  search: { group: 'anywhere', press: ['/'] },
  save: { group: 'anywhere', press: ['n'] },
  list: { group: 'anywhere', press: ['b'] },
  graph: { group: 'anywhere', press: ['g'] },
  undo: { group: 'anywhere', press: ['z'] },
  undoInField: { group: 'anywhere', press: ['z'], mod: true },
  help: { group: 'anywhere', press: ['?'] },
  close: { group: 'anywhere', press: ['Escape'] },
  nextMemory: { group: 'memory', press: ['j', 'ArrowRight'] },
  previousMemory: { group: 'memory', press: ['k', 'ArrowLeft'] },
  edit: { group: 'memory', press: ['e'] },
  submit: { group: 'memory', press: ['Enter'], mod: true },
  next: { group: 'list', press: ['j', 'ArrowDown'] },
  previous: { group: 'list', press: ['k', 'ArrowUp'] },
  first: { group: 'list', press: ['Home'] },
  last: { group: 'list', press: ['End'] },
  viewOn: { group: 'list', press: ['PageDown'] },
  viewBack: { group: 'list', press: ['PageUp'] },
  open: { group: 'list', press: ['Enter'] },
  explain: { group: 'list', press: ['w'] },
  select: { group: 'list', press: ['x', ' '] },
  selectRange: { group: 'list', press: ['ArrowDown', 'ArrowUp'], shift: true },
  selectAll: { group: 'list', press: ['a'], mod: true },
  tag: { group: 'list', press: ['t'] },
  menu: { group: 'list', press: ['m'] },
  walk: { group: 'graph', press: ['ArrowLeft', 'ArrowUp', 'ArrowDown', 'ArrowRight'] },
  openNode: { group: 'graph', press: ['Enter'] },
  zoomIn: { group: 'graph', press: ['+', '='] },
  zoomOut: { group: 'graph', press: ['-'] },
  fit: { group: 'graph', press: ['0'] },
} as const satisfies Record<string, Keys>;

export type KeyName = keyof typeof KEYS;
/** All values of `KeyboardEvent.key` in the table; other keys do nothing. */
export type PageKey = (typeof KEYS)[KeyName]['press'][number];
export type KeyGroup = (typeof KEYS)[KeyName]['group'];

const SIGNS: Readonly<Record<string, string>> = {
  ArrowDown: '↓',
  ArrowUp: '↑',
  ArrowLeft: '←',
  ArrowRight: '→',
  Enter: '↵',
  PageDown: 'Page ↓',
  PageUp: 'Page ↑',
  Escape: 'Esc',
  ' ': 'Space',
};

const isMac = /mac|iphone|ipad/i.test(navigator.userAgent);
const sign = (key: string): string => SIGNS[key] ?? (key.length === 1 ? key.toUpperCase() : key);

/** Labels of the key caps; keys of an inner list are pressed together. */
export function keySigns(name: KeyName): readonly (readonly string[])[] {
  const { press, mod, shift }: Keys = KEYS[name];
  return press.map((key) => [...(mod === true ? [isMac ? '⌘' : 'Ctrl'] : []), ...(shift === true ? ['Shift'] : []), sign(key)]);
}

/** Normalizes a key: Caps Lock does not change a letter, Shift does. */
export const keyOf = ({ key, shiftKey }: KeyboardEvent): string => (key.length === 1 && !shiftKey ? key.toLowerCase() : key);

/** Whether an event is this shortcut. Shift counts only if the table names it: some keyboards need it for some keys. */
export function isKey(event: KeyboardEvent, name: KeyName): boolean {
  const { press, mod, shift }: Keys = KEYS[name];
  const { ctrlKey, metaKey, altKey, shiftKey } = event;
  const [held, other] = isMac ? [metaKey, ctrlKey] : [ctrlKey, metaKey];
  return press.includes(keyOf(event)) && held === (mod === true) && !other && !altKey && (shift !== true || shiftKey);
}

export const keysOf = (group: KeyGroup): readonly KeyName[] =>
  (Object.keys(KEYS) as KeyName[]).filter((name) => KEYS[name].group === group);

export function pressed(actions: Partial<Readonly<Record<KeyName, () => void>>>): Partial<Readonly<Record<PageKey, () => void>>> {
  return Object.fromEntries(
    (Object.entries(actions) as [KeyName, () => void][]).flatMap(([name, act]) => KEYS[name].press.map((key) => [key, act])),
  );
}
