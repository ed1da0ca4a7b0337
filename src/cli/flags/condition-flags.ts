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

/** The fields of a request under their names on the command line, where those differ. */
export const CONDITION_NAMES = {
  tags: '--tag',
  createdAfter: '--after',
  createdBefore: '--before',
  'importance.min': '--min-importance',
  'importance.max': '--max-importance',
};

interface ConditionValues {
  readonly tag?: string[] | undefined;
  readonly container?: string | undefined;
  readonly priority?: string | undefined;
  readonly source?: string | undefined;
  readonly after?: string | undefined;
  readonly before?: string | undefined;
  readonly 'min-importance'?: number | undefined;
  readonly 'max-importance'?: number | undefined;
}

/** The fields of a request that `conditionFlags` say, but for the namespace. */
export function conditionFields(flags: ConditionValues): Record<string, unknown> {
  const { tag: tags, container, priority, source, after: createdAfter, before: createdBefore } = flags;
  const importance = { min: flags['min-importance'], max: flags['max-importance'] };
  const hasImportance = importance.min !== undefined || importance.max !== undefined;
  return { tags, container, priority, source, createdAfter, createdBefore, importance: hasImportance ? importance : undefined };
}
