import { memories, memory } from '../texts.ts';
import { count, counted } from '../parts/formats.ts';

export const browseTexts = {
  list: 'Memories',
  total: (number: number) => counted(number, memory, memories),
  filtered: (number: number) => `${counted(number, memory, memories)} match the filters`,
  sort: 'Sort',
  sorts: {
    '-createdAt': 'Newest first',
    createdAt: 'Oldest first',
    '-importance': 'Most important first',
    importance: 'Least important first',
  },
  shape: 'Layout',
  shapes: { list: 'List', timeline: 'Timeline' },
  today: 'Today',
  yesterday: 'Yesterday',
  everything: 'By importance',
  failed: 'The memories could not be loaded',
  nothing: { title: 'No memory matches these filters', text: 'Try fewer or other filters.', clear: 'Clear filters' },
  more: (number: number) => `Show ${count(number)} more`,
  loadingRow: 'Loading',
  rail: 'Jump to a time',
  strip: 'Memories over time',
  at: (time: string, number: number) => `${time}, ${counted(number, memory, memories)}`,
  select: (text: string) => `Select: ${text}`,
  priority: (priority: string) => `${priority} priority`,
  actionsFor: (text: string) => `Actions: ${text}`,
  menu: {
    label: 'Actions',
    open: 'Open',
    select: 'Select',
    deselect: 'Deselect',
  },
  refused: (message: string) => `Not done: ${message}`,
  rangeShifted: 'The list has changed. Select the range again.',
  tooManyInRange: (most: number) => `A range can include at most ${count(most)} memories. For more, filter and select all.`,
} as const;
