import { Flags } from '@oclif/core';

/** A number flag. Other text becomes NaN, which the request schema refuses under the name of the flag. */
export const number = Flags.custom<number>({
  helpValue: 'N',
  parse: async (text) => (text.trim() === '' ? Number.NaN : Number(text)),
});
