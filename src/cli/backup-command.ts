import type { BackupOperations } from '../memory/operations/backup-operations.ts';
import { LoreError, type ErrorCode } from '../memory/errors.ts';
import { stderrColors as pc } from './print/colors.ts';
import { MemoryCommand, type StoreFlags } from './memory-command.ts';

/** Errors of an open that say nothing against the backups. */
const STORE_FAULTS: ReadonlySet<ErrorCode> = new Set(['filesystem', 'internal', 'unavailable']);

type Reading = Pick<BackupOperations, 'list' | 'verify'>;

/** A command that reads backups, even if the store cannot be opened. */
export abstract class BackupCommand extends MemoryCommand {
  /**
   * The backups of the store; dispose of it when done. Does not create a store. Warns on standard error if the store cannot be opened.
   */
  protected async openBackups(flags: StoreFlags): Promise<{ readonly backups: Reading; readonly isAbsent?: true } & AsyncDisposable> {
    const loaded = await this.settings(flags);
    const [{ storedBackups }, none] = [await import('../inspect-store.ts'), { [Symbol.asyncDispose]: () => Promise.resolve() }];
    try {
      const store = await this.openStoreIfThere(loaded, flags);
      if (store === undefined) return { ...none, backups: storedBackups(loaded), isAbsent: true };
      return { backups: store.memories.backups, [Symbol.asyncDispose]: () => store.close() };
    } catch (error) {
      if (flags.url !== undefined || !(error instanceof LoreError) || !STORE_FAULTS.has(error.code)) throw error;
      const backups = storedBackups(loaded);
      this.note(`${pc.yellow('warning:')} ${error.message} Its backups are read without it.`);
      return { ...none, backups };
    }
  }
}
