/** Reasons not to keep an event, in the words of the statistics. */
export const REFUSALS = [
  'disabled',
  'ignored tool',
  'too short',
  'too large',
  'boilerplate',
  'file dump',
  'listing',
  'progress output',
  'binary',
  'repeated',
  'own output',
  'secret only',
  'nothing to keep',
  'rate cap',
  'duplicate',
] as const;
export type Refusal = (typeof REFUSALS)[number];

/** Kinds of captured entries, also used as tags. */
export const CAPTURE_KINDS = ['decision', 'preference', 'fact', 'fix', 'outcome'] as const;
export type CaptureKind = (typeof CAPTURE_KINDS)[number];

/** Reasons why a context did not reach a client, in the words of the statistics. */
export const MISSES = ['late', 'no server'] as const;
export type Miss = (typeof MISSES)[number];
