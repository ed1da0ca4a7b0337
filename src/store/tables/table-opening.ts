import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { Connection, Table } from '@lancedb/lancedb';
import { LoreError } from '../../memory/errors.ts';
import { hasShape, manifestsOf, tableFolder, VERSIONS, type Manifest } from '../format/manifests.ts';
import type { Damage, Quarantine } from '../files/quarantine.ts';
import { asStoreError, refuseFaults } from '../errors/store-error.ts';
import { WORDS_FILE } from '../format/words-file.ts';

/** Versions that are put aside one after the other before a table is given up. */
const STEPS_AT_MOST = 64;

interface TableToOpen {
  readonly connection: Connection;
  readonly storePath: string;
  readonly name: string;
  /** The version that is known to be safe on disk: the journal has all that came after it. Undefined where nobody knows. */
  readonly secured: number | undefined;
  /** Rows of that version, where they were counted. */
  readonly securedRows?: number | undefined;
  readonly quarantine: Quarantine;
}

/**
 * Opens a table that is there, at its newest version that can be read. Versions that cannot be are put into quarantine: work above the
 * secured version is in the journal; where that version itself is damaged an older one is taken, if every row of it can be read, and it is
 * said that something may be missing. Never makes a table. Rejects with `filesystem` where no version can be read, with the fault of the
 * system where that does not let its files be read; then every file is where it was.
 */
export async function openReadable(wanted: TableToOpen): Promise<Table> {
  const whole = await tryOpening(wanted);
  if (whole !== undefined) return await noteOlder(wanted, whole);
  const aside = new VersionsAside(wanted);
  try {
    for (let step = 0; step < STEPS_AT_MOST; step += 1) {
      const suspects = await suspectsOf(wanted, step);
      if (suspects === undefined) break;
      aside.move(suspects);
      const table = suspects.length === 0 ? undefined : await tryOpening(wanted);
      if (table === undefined) continue;
      if (aside.keptSecured || (await isWholeTable(table))) return await aside.settle(table);
      table.close();
    }
  } catch (error) {
    aside.undo();
    throw error;
  }
  aside.undo();
  throw unreadable(wanted);
}

/** What may keep the table from being opened, the likeliest first; undefined where nothing is left. */
async function suspectsOf(wanted: TableToOpen, step: number): Promise<Manifest[] | undefined> {
  const { storePath, name, secured } = wanted;
  const left = manifestsOf(storePath, name);
  if (left.length === 0) return undefined;
  if (step === 0) return left.filter(({ version }) => secured !== undefined && version > secured);
  if (step === 1) return left.filter((manifest) => !hasShape(storePath, name, manifest));
  const older = await unreadableVersions(wanted, left);
  return older.length > 0 ? older : left.slice(0, 1);
}

/** Where the newest version can be opened, those before it that cannot: they would keep files from ever being removed. */
async function unreadableVersions({ connection, name }: TableToOpen, left: readonly Manifest[]): Promise<Manifest[]> {
  const table = await connection.openTable(name).catch(refuseFaults('open the store'));
  if (table === undefined) return [];
  const found: Manifest[] = [];
  for (const manifest of left) {
    const works = await table.checkout(manifest.version).then(() => true, refuseFaults('open the store'));
    if (works !== true) found.push(manifest);
  }
  table.close();
  return found;
}

/** The versions of one table that were put aside. */
class VersionsAside {
  readonly #wanted: TableToOpen;
  readonly #moved: Manifest[] = [];

  constructor(wanted: TableToOpen) {
    this.#wanted = wanted;
  }

  /** Whether the version is still there that is known to be safe. */
  get keptSecured(): boolean {
    const { storePath, name, secured } = this.#wanted;
    return manifestsOf(storePath, name).some(({ version }) => version === secured);
  }

  move(manifests: readonly Manifest[]): void {
    for (const manifest of manifests) {
      this.#wanted.quarantine.move(this.#fileOf(manifest));
      this.#moved.push(manifest);
    }
  }

  undo(): void {
    for (const manifest of this.#moved.splice(0)) this.#wanted.quarantine.putBack(this.#fileOf(manifest));
  }

  /** This is the version that is used now: says what that means. */
  async settle(table: Table): Promise<Table> {
    const { storePath, quarantine } = this.#wanted;
    await dropWords(storePath);
    quarantine.note(await this.#damage(table));
    return table;
  }

  async #damage(table: Table): Promise<Damage> {
    const { name, secured, quarantine } = this.#wanted;
    const count = this.#moved.length;
    const [what, are] = count === 1 ? ['A version', 'is'] : [`${count} versions`, 'are'];
    const start = `${what} of the table ${name} could not be read and ${are} in ${quarantine.place} now`;
    const served = await table.version();
    const isLoss = secured === undefined ? this.#moved.some(({ version }) => version > served) : !this.keptSecured;
    if (!isLoss) return { message: `${start}. Nothing that was acknowledged is missing.`, mayLose: false };
    return { message: `${start}. ${await olderText(this.#wanted, table)}`, mayLose: true };
  }

  #fileOf({ name: file }: Manifest): string {
    return `${tableFolder(this.#wanted.name)}/${VERSIONS}/${file}`;
  }
}

/** It was counted for a version whose number is given out again now. */
async function dropWords(storePath: string): Promise<void> {
  await rm(path.join(storePath, WORDS_FILE), { force: true }).catch(() => undefined);
}

/** What is said of a version before the one that is known to be safe. */
async function olderText({ securedRows }: TableToOpen, table: Table): Promise<string> {
  const rows = (await table.countRows().catch(asStoreError('open the store'))).toLocaleString('en-US');
  const of = securedRows === undefined ? '' : ` of ${securedRows.toLocaleString('en-US')}`;
  return `An older one serves, with ${rows}${of} rows: changes made between the two may be missing.`;
}

/** A table of which the file of the safe version is gone can be opened as if it had never had it. */
async function noteOlder(wanted: TableToOpen, table: Table): Promise<Table> {
  const { storePath, name, secured, quarantine } = wanted;
  if (secured === undefined || (await table.version()) >= secured) return table;
  await dropWords(storePath);
  quarantine.note({ message: `Version ${secured} of the table ${name} is gone. ${await olderText(wanted, table)}`, mayLose: true });
  return table;
}

/** Undefined where it is damaged. Rejects where it is the system that does not let it be read. */
async function tryOpening({ connection, name }: TableToOpen): Promise<Table | undefined> {
  const table = await connection.openTable(name).catch(refuseFaults('open the store'));
  const versions = await table?.listVersions().catch(refuseFaults('open the store'));
  if (versions === undefined) table?.close();
  return versions === undefined ? undefined : table;
}

async function isWholeTable(table: Table): Promise<boolean> {
  try {
    for await (const _ of table.query());
    return true;
  } catch (error) {
    refuseFaults('open the store')(error);
    return false;
  }
}

function unreadable({ storePath, name }: TableToOpen): LoreError {
  return new LoreError(
    'filesystem',
    `The store in ${storePath} is damaged: no version of its table ${name} can be read. It was left as it is.`,
    {
      hint: '`lore backup list` lists backups; `lore backup restore` restores one and keeps this store under another name.',
    },
  );
}

/** Makes this version the newest again if later ones are unfinished. Returns whether it already was. */
export async function rewindTo(table: Table, version: number | undefined): Promise<boolean> {
  if (version === undefined) return false;
  if ((await table.version()) === version) return true;
  // Builds before this one could remove it while they made the next: what is newer holds all that it held, and the journal what came since.
  // Or it could not be read, and what is there now is older.
  if (!(await table.listVersions()).some((kept) => kept.version === version)) return false;
  await table.checkout(version);
  await table.restore();
  return false;
}

/** Who else may write a table. */
interface Others {
  /** Whether there are any. */
  readonly isShared: boolean;
  /** Whether the version to go back to is this process's own: a process that began to write the table since has made a later one. Default false. */
  readonly isOwn?: boolean;
}

/**
 * Restores this version as the newest one. Unfinished writes of other processes can then no longer be committed.
 */
export async function restoreTo(table: Table, version: number, { isShared, isOwn = false }: Others): Promise<void> {
  try {
    if (isShared) await table.checkoutLatest();
    if ((await table.version()) === version && (isOwn || !isShared)) return;
    await table.checkout(version);
    await table.restore();
  } catch (error) {
    asStoreError('take back unfinished work')(error);
  }
}

/** Whether the folder of a table exists. */
export const isThere = (storePath: string, name: string): boolean => existsSync(path.join(storePath, tableFolder(name)));
