import { z } from 'zod';

export const VerifyRequest = z.object({}).meta({ id: 'VerifyRequest' });
export type VerifyRequest = z.output<typeof VerifyRequest>;

/** Whether what is stored is what was saved. */
export interface VerifyReport {
  /** Entries whose content was read and compared with its checksum, those in the archive included. */
  readonly checked: number;
  /** Ids of those that are not what was saved. */
  readonly altered: readonly string[];
  /** Ids of those that cannot be read. */
  readonly unreadable: readonly string[];
  readonly ms: number;
}
