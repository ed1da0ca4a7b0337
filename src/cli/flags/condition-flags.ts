/** Flags of commands that mean entries by conditions. */
import { Flags } from '@oclif/core';
import { PRIORITY_WORDS, SOURCES } from '../../memory/entry.ts';
import { number, scopeFlags } from './flags.ts';

/** Conditions beside the namespace, the container and the tags. */
export const factFlags = {
  priority: Flags.string({ options: [...PRIORITY_WORDS], description: 'Only entries of this priority.' }),
  source: Flags.string({ options: [...SOURCES], description: 'Only entries that came this way.' }),
  after: Flags.string({
    aliases: ['since'],
    helpValue: 'DATE',
    description: 'Only entries created after this moment, ISO 8601 (UTC without a zone).',
  }),
  before: Flags.string({
    aliases: ['until'],
    helpValue: 'DATE',
    description: 'Only entries created before this moment, ISO 8601 (UTC without a zone).',
  }),
  'min-importance': number({ description: 'Only entries at least this important, 0 to 1.' }),
  'max-importance': number({ description: 'Only entries at most this important, 0 to 1.' }),
};

/** Which entries are meant; all that are given must hold. */
export const conditionFlags = {
  ...scopeFlags,
  namespace: Flags.string({ char: 'n', description: 'Namespace to look at.', exclusive: ['all'] }),
  all: Flags.boolean({ char: 'a', description: 'Look at every namespace.' }),
  ...factFlags,
};
