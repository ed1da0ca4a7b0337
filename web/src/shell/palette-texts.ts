import { memories, memory } from '../texts.ts';
import { counted } from '../parts/formats.ts';

/** Strings of the palette. */
export const paletteTexts = {
  title: 'Commands',
  label: 'Command or memory',
  placeholder: 'Go to, do or find',
  options: 'What there is',
  found: (number: number) => counted(number, 'line', 'lines'),
  groups: { recent: 'Searched for lately', commands: 'Commands', memories: 'Memories', places: 'Go to' },
  everything: (query: string) => `All memories about “${query}”`,
  timeline: 'Timeline',
  archive: 'Open the archive',
  backup: 'Back up, export or import',
  settings: 'Settings of the server',
  byMeaning: 'Search by meaning only',
  byWords: 'Search by words only',
  mode: 'Mode',
  theme: { light: 'Light theme', dark: 'Dark theme', system: 'Theme of the system' },
  copyLink: 'Copy the link to this page',
  lock: 'Lock this tab: forget the key',
  help: 'Keyboard help',
  namespace: (name: string) => `Namespace ${name}`,
  tag: (name: string) => `Tag ${name}`,
  size: (number: number) => counted(number, memory, memories),
  choose: 'choose',
  run: 'run',
  narrow: 'narrow to this group',
  widen: (group: string) => `All groups, not only: ${group}`,
} as const;
