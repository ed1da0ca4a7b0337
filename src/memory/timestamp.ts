/** Moments as answers write them. */
import { z } from 'zod';

export const Timestamp = z.iso.datetime().meta({ description: 'ISO 8601, UTC.' });
/** Epoch milliseconds, written as a timestamp. */
export const Time = z.codec(Timestamp, z.number(), {
  decode: (text) => Date.parse(text),
  encode: (epochMs) => new Date(epochMs).toISOString(),
});
