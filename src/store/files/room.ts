import type { Reserve } from './reserve.ts';

/** Space for what is to be written. */
export type Room = Pick<Reserve, 'begin' | 'isFull' | 'noteFailure' | 'requireRoom' | 'close'>;
