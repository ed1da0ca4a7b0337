import { count, counted } from '../parts/formats.ts';
import { memories, memory } from '../texts.ts';

const several = (number: number): string => counted(number, memory, memories);

export const organizeTexts = {
  lead: 'All namespaces, tags and names in the store.',
  choose: 'What to list',
  fields: { namespaces: 'Namespaces', tags: 'Tags', entities: 'Names' },
  one: { namespaces: 'Namespace', tags: 'Tag', entities: 'Name' },
  hints: {
    namespaces: 'A rename moves the memories. Archived memories keep their namespace.',
    tags: 'A rename changes the tag of each memory that has it.',
    entities: 'Lore found these names in texts. A rename does not change the texts. When a text is edited, Lore finds its names again.',
  },
  filter: 'Filter by name',
  memories: 'Memories',
  named: (shown: number, total: number) =>
    shown === total ? `${several(total)} with this name` : `The newest ${count(shown)} of ${several(total)} with this name`,
  allNames: 'All names',
  searchName: 'Search for it',
  action: 'Action',
  rename: 'Rename',
  renameOne: (value: string) => `Rename ${value}`,
  failed: 'The list could not be loaded',
  none: 'None yet',
  noneText: 'They appear here when you save memories that have some.',
  noMatch: 'No match',
  noMatchText: 'Nothing contains this text.',
  paging: { pages: 'Pages', before: 'Previous', after: 'Next' },
  renaming: {
    title: (value: string) => `Rename “${value}”`,
    to: 'New name',
    nothing: 'Enter a new name.',
    none: 'No memory would change.',
    would: (number: number) => `${several(number)} would change.`,
    merge: (to: string, number: number, there: number) =>
      `“${to}” already exists, with ${several(there)}. ${several(number)} would be merged into it.`,
    archived: (number: number) => `Of these, ${several(number)} would be archived: the same text is already there.`,
    confirm: (isMerge: boolean) => (isMerge ? 'Merge' : 'Rename'),
    done: (from: string, to: string, number: number) => `“${from}” is now “${to}” in ${several(number)}`,
  },
} as const;
