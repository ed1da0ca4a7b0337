import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { Connection, Table } from '@lancedb/lancedb';
import { LoreError } from '../../memory/errors.ts';
import { hasShape, manifestsOf, tableFolder, VERSIONS, type Manifest } from '../format/manifests.ts';
import type { Damage, Quarantine } from '../files/quarantine.ts';
import { asStoreError, refuseFaults } from '../errors/store-error.ts';
import { WORDS_FILE } from '../format/words-file.ts';

/** Versions to quarantine, one after the other, before giving up on a table. */
const STEPS_AT_MOST = 64;

interface TableToOpen {
  readonly connection: Connection;
  readonly storePath: string;
  readonly name: string;
  /** The version that is known to be durable; the log has all later changes. Undefined if unknown. */
  readonly secured: number | undefined;
  /** Number of rows of that version, if it was counted. */
  readonly securedRows?: number | undefined;
  readonly quarantine: Quarantine;
}

/**
 * Opens an existing table at its newest readable version. Unreadable versions are quarantined: changes after the durable version are in the
 * log; if that version itself is damaged, an older one is used if all of its rows can be read, and a possible loss is reported. Never
 * creates a table. Rejects with `filesystem` if no version can be read, or with the system error if the system denies reading its files;
 * then every file stays where it was.
 */
export async function openReadable(wanted: TableToOpen): Promise<Table> {
  const whole = await tryOpening(wanted);
  if (whole !== undefined) return await noteOlder(wanted, whole);
  const aside = new QuarantinedVersions(wanted);
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

/** The file that may keep the table from opening, the likeliest first; undefined if none is left. */
async function suspectsOf(wanted: TableToOpen, step: number): Promise<Manifest[] | undefined> {
  const { storePath, name, secured } = wanted;
  const left = manifestsOf(storePath, name);
  if (left.length === 0) return undefined;
  if (step === 0) return left.filter(({ version }) => secured !== undefined && version > secured);
  if (step === 1) return left.filter((manifest) => !hasShape(storePath, name, manifest));
  const older = await unreadableVersions(wanted, left);
  return older.length > 0 ? older : left.slice(0, 1);
}

/** If the newest version can be opened, earlier ones that cannot: they would prevent the removal of files for good. */
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

/** The quarantined versions of one table. */
class QuarantinedVersions {
  readonly #wanted: TableToOpen;
  readonly #moved: Manifest[] = [];

  constructor(wanted: TableToOpen) {
    this.#wanted = wanted;
  }

  /** Whether the durable version still exists. */
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

  /** Call when this version is used: reports the consequences. */
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

/** The count belonged to a version whose number is reused now. */
async function dropWords(storePath: string): Promise<void> {
  await rm(path.join(storePath, WORDS_FILE), { force: true }).catch(() => undefined);
}

/** The report for a version older than the durable one. */
async function olderText({ securedRows }: TableToOpen, table: Table): Promise<string> {
  const rows = (await table.countRows().catch(asStoreError('open the store'))).toLocaleString('en-US');
  const of = securedRows === undefined ? '' : ` of ${securedRows.toLocaleString('en-US')}`;
  return `An older one serves, with ${rows}${of} rows: changes made between the two may be missing.`;
}

/** Without the file of the durable version, a table opens as if it never had that version. */
async function noteOlder(wanted: TableToOpen, table: Table): Promise<Table> {
  const { storePath, name, secured, quarantine } = wanted;
  if (secured === undefined || (await table.version()) >= secured) return table;
  await dropWords(storePath);
  quarantine.note({ message: `Version ${secured} of the table ${name} is gone. ${await olderText(wanted, table)}`, mayLose: true });
  return table;
}

/** Undefined if it is damaged. Rejects if the system denies reading it. */
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
  // Earlier builds could remove it while they made the next: a newer version has all of its rows, and the log the later changes. Or it
  // could not be read, and the current version is older.
  if (!(await table.listVersions()).some((kept) => kept.version === version)) return false;
  await table.checkout(version);
  await table.restore();
  return false;
}

/** Which others write a table. */
interface OtherTables {
  /** Whether there are any. */
  readonly isShared: boolean;
  /** Whether this process owns the version to return to: a process that wrote the table since has made a later one. Default false. */
  readonly isOwn?: boolean;
}

/**
 * Restores this version as the newest one. Unfinished writes of other processes can then no longer be committed.
 */
export async function restoreTo(table: Table, version: number, { isShared, isOwn = false }: OtherTables): Promise<void> {
  try {
    if (isShared) await table.checkoutLatest();
    if ((await table.version()) === version && (isOwn || !isShared)) return;
    await table.checkout(version);
    await table.restore();
  } catch (error) {
    asStoreError('revert unfinished work')(error);
  }
}

/** Whether the folder of a table exists. */
export const tableExists = (storePath: string, name: string): boolean => existsSync(path.join(storePath, tableFolder(name)));
