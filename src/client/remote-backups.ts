import type { Backup, BackupCheck, BackupOperations } from '../memory/operations/backup-operations.ts';
import type { CallOptions } from '../memory/operations/operations.ts';
import type { Transport } from './transport.ts';

type BackupAnswer = Omit<Backup, 'createdAt'> & { readonly createdAt: string };

/** Backups of a running server's store. They may take as long as they need. */
export class RemoteBackups implements BackupOperations {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async create(options: CallOptions = {}): Promise<Backup> {
    const { backup } = await this.#transport.json<{ backup: BackupAnswer }>('POST', 'backups', { ...options, body: {}, unlimited: true });
    return backupFrom(backup);
  }

  async list(options: CallOptions = {}): Promise<readonly Backup[]> {
    const { backups } = await this.#transport.json<{ backups: BackupAnswer[] }>('GET', 'backups', options);
    return backups.map(backupFrom);
  }

  async verify(name: string, options: CallOptions = {}): Promise<BackupCheck> {
    const request = { ...options, body: { name }, unlimited: true };
    const answer = await this.#transport.json<BackupCheck & { success?: true }>('POST', 'backups/verify', request);
    return { name: answer.name, whole: answer.whole, problems: answer.problems, entries: answer.entries };
  }
}

function backupFrom(answer: BackupAnswer): Backup {
  return { ...answer, createdAt: Date.parse(answer.createdAt) };
}
