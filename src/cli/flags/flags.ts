import { Flags } from '@oclif/core';

/** A flag with a number. Text that is none becomes NaN, which the schema of the request refuses under the flag's name. */
export const number = Flags.custom<number>({
  helpValue: 'N',
  parse: async (text) => (text.trim() === '' ? Number.NaN : Number(text)),
});

/** Which entries a command looks at, within its namespaces. */
export const scopeFlags = {
  tag: Flags.string({
    char: 't',
    multiple: true,
    multipleNonGreedy: true,
    description: 'Only entries with this tag; repeat for several.',
  }),
  container: Flags.string({ description: 'Only this container.' }),
};
