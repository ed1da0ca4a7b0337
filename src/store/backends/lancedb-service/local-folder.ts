import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { LoreError } from '../../../memory/errors.ts';
import { asStoreError } from '../../errors/store-error.ts';
import { replaceFile } from '../../files/sync.ts';

const FILE = 'home';

/**
 * The local folder of a store in a service: its log has the acknowledged changes that are not in the tables yet. The store records the name
 * of the folder, so that no other folder is used.
 */
export class LocalFolder {
  readonly #folder: string;
  readonly #synced: boolean;

  constructor(folder: string, { synced }: { readonly synced: boolean }) {
    this.#folder = folder;
    this.#synced = synced;
  }

  /** The name of the folder; a new one if it has none. */
  async name(): Promise<string> {
    const known = await this.#read();
    if (known !== '') return known;
    const name = randomUUID();
    await replaceFile(path.join(this.#folder, FILE), `${name}\n`, { synced: this.#synced }).catch(asStoreError('create the store'));
    return name;
  }

  /** Rejects with `conflict` if the store belongs to another folder. */
  async require(expected: string, uri: string): Promise<void> {
    if ((await this.#read()) === expected) return;
    throw new LoreError(
      'conflict',
      `The store ${uri} belongs to another folder than ${this.#folder}: its write-ahead log may hold changes that are not in the tables yet.`,
      {
        hint: `Use the server that has that folder, or set storage.localPath to it. If the folder is lost, write ${expected} to ${path.join(this.#folder, FILE)}: changes that were only in its log are lost.`,
      },
    );
  }

  async #read(): Promise<string> {
    return await readFile(path.join(this.#folder, FILE), 'utf8').then(
      (text) => text.trim(),
      (error: unknown) => ((error as NodeJS.ErrnoException).code === 'ENOENT' ? '' : asStoreError('open the store')(error)),
    );
  }
}
