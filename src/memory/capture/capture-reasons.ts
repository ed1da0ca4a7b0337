/** Why something that a client said was not kept, in the words that statistics show. */
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

/** What captured entries are about; each carries its kind as a tag. */
export const CAPTURE_KINDS = ['decision', 'preference', 'fact', 'fix', 'outcome'] as const;
export type CaptureKind = (typeof CAPTURE_KINDS)[number];

/** Why a context did not reach a client, in the words that statistics show. */
export const MISSES = ['late', 'no server'] as const;
export type Miss = (typeof MISSES)[number];
