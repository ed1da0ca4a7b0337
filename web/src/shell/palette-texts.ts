import { memories, memory } from '../texts.ts';
import { counted } from '../parts/formats.ts';

/** Strings of the palette. */
export const paletteTexts = {
  title: 'Commands',
  label: 'Command or memory',
  placeholder: 'Go to, run or find',
  options: 'Results',
  found: (number: number) => counted(number, 'line', 'lines'),
  groups: { recent: 'Recent searches', commands: 'Commands', memories: 'Memories', places: 'Go to' },
  everything: (query: string) => `All memories about “${query}”`,
  search: 'Search',
  timeline: 'Timeline',
  archive: 'Open the archive',
  backup: 'Back up, export or import',
  settings: 'Server settings',
  byMeaning: 'Search by meaning only',
  byWords: 'Search by words only',
  mode: 'Mode',
  copyLink: 'Copy link to this page',
  lock: 'Lock this tab and remove its key',
  help: 'Keyboard help',
  namespace: (name: string) => `Namespace ${name}`,
  savedSearch: 'Saved search',
  tag: (name: string) => `Tag ${name}`,
  size: (number: number) => counted(number, memory, memories),
  choose: 'choose',
  run: 'run',
  narrow: 'this group only',
  widen: (group: string) => `Show all groups, not only ${group}`,
} as const;
