/** Flags that select entries by conditions. */
import { Flags } from '@oclif/core';
import { ForgetRequest } from '../../memory/operations/lifecycle-operations.ts';
import { ListRequest } from '../../memory/operations/operations.ts';
import { fieldFlags } from './field-flags.ts';

/** Flags that restrict the entries within the namespaces. */
export const scopeFlags = fieldFlags(ListRequest, {
  tag: { char: 't', description: 'Only entries with this tag; repeatable.' },
  container: 'Only this container.',
});

/** Conditions other than namespace, container and tags. */
export const factFlags = fieldFlags(ListRequest, {
  priority: 'Only entries of this priority.',
  source: 'Only entries saved through this interface.',
  after: { aliases: ['since'], helpValue: 'DATE', description: 'Only entries created after this time, ISO 8601 (UTC without a zone).' },
  before: { aliases: ['until'], helpValue: 'DATE', description: 'Only entries created before this time, ISO 8601 (UTC without a zone).' },
  'min-importance': 'Only entries with at least this importance, 0 to 1.',
  'max-importance': 'Only entries with at most this importance, 0 to 1.',
});

/** Flags that select entries; an entry must match all given ones. */
export const conditionFlags = {
  ...scopeFlags,
  ...fieldFlags(ForgetRequest, { namespace: { char: 'n', description: 'Namespace of the filter.', exclusive: ['all'] } }),
  all: Flags.boolean({ char: 'a', description: 'Apply the filter to every namespace.' }),
  ...factFlags,
};
