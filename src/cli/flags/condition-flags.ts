/** Flags that select entries by conditions. */
import { Flags } from '@oclif/core';
import { PRIORITY_WORDS, SOURCES } from '../../memory/entry.ts';
import { number, scopeFlags } from './flags.ts';

/** Conditions other than namespace, container and tags. */
export const factFlags = {
  priority: Flags.string({ options: [...PRIORITY_WORDS], description: 'Only entries of this priority.' }),
  source: Flags.string({ options: [...SOURCES], description: 'Only entries saved through this interface.' }),
  after: Flags.string({
    aliases: ['since'],
    helpValue: 'DATE',
    description: 'Only entries created after this time, ISO 8601 (UTC without a zone).',
  }),
  before: Flags.string({
    aliases: ['until'],
    helpValue: 'DATE',
    description: 'Only entries created before this time, ISO 8601 (UTC without a zone).',
  }),
  'min-importance': number({ description: 'Only entries with at least this importance, 0 to 1.' }),
  'max-importance': number({ description: 'Only entries with at most this importance, 0 to 1.' }),
};

/** Flags that select entries; an entry must match all given ones. */
export const conditionFlags = {
  ...scopeFlags,
  namespace: Flags.string({ char: 'n', description: 'Namespace of the filter.', exclusive: ['all'] }),
  all: Flags.boolean({ char: 'a', description: 'Apply the filter to every namespace.' }),
  ...factFlags,
};
