import type { Reserve } from './reserve.ts';

/** Checks for space before writes. */
export type SpaceCheck = Pick<Reserve, 'begin' | 'isFull' | 'noteFailure' | 'requireRoom' | 'close'>;
