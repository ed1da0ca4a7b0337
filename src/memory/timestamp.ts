/** Timestamps in responses. */
import { z } from 'zod';

export const Timestamp = z.iso.datetime().meta({ description: 'ISO 8601, UTC.' });
/** Epoch milliseconds in code, an ISO timestamp in JSON. */
export const Time = z.codec(Timestamp, z.number(), {
  decode: (text) => Date.parse(text),
  encode: (epochMs) => new Date(epochMs).toISOString(),
});
