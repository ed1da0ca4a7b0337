import { Flags } from '@oclif/core';

/** A flag with a number. Text that is none becomes NaN, which the schema of the request refuses under the flag's name. */
export const number = Flags.custom<number>({
  helpValue: 'N',
  parse: async (text) => (text.trim() === '' ? Number.NaN : Number(text)),
});
