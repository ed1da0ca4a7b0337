import type { ExportLine } from '../../memory/operations/operations.ts';
import type { Tombstone } from '../../memory/tombstone.ts';
import type { Telemetry } from '../../memory/telemetry.ts';
import type { BackupFolder } from '../../store/backup/backup-folder.ts';
import type { BackupManifest, StoredBackup } from '../../store/backup/backup-manifest.ts';
import type { BackupStorage, ExportCopy } from '../../store/backup/backup-storage.ts';
import type { StoreCopy } from '../../store/backup/backup.ts';
import type { BackupLocation } from '../../store/backends/backup-locations.ts';
import type { Store } from '../../store/store.ts';

interface Order {
  readonly kind: BackupManifest['kind'];
  /** If nothing was written since this backup, it is returned and no new one is made. */
  readonly previous?: StoredBackup | undefined;
}

/** Makes the backups of a store. */
export interface BackupMaking {
  /** The new backup, or the previous one if nothing was written since. */
  make(order: Order): Promise<StoredBackup>;
}

interface Parts {
  readonly store: Store;
  readonly place: BackupLocation;
  readonly telemetry: Telemetry;
}

/** Backups as copies of the files of a store. */
export class CopyBackups implements BackupMaking {
  readonly #parts: Parts & { readonly folder: BackupFolder };

  constructor(parts: Parts & { readonly folder: BackupFolder }) {
    this.#parts = parts;
  }

  async make({ kind, previous }: Order): Promise<StoredBackup> {
    const { store, place, telemetry, folder } = this.#parts;
    return await store.copies.during(async (copy) => {
      if (previous !== undefined && isSame(copy, previous)) return previous;
      return await telemetry.timed('backup', () => folder.write(copy, { ...place, kind, previous }));
    });
  }
}

/** The same files as in the last backup: nothing was written since. */
function isSame({ files }: StoreCopy, { manifest }: StoredBackup): boolean {
  const known = new Map(manifest.files.map((file) => [file.path, file.bytes]));
  // The manifest also lists `head.json`, which only repeats the names of the files.
  return known.size === files.length + 1 && files.every((file) => known.get(file.path) === file.bytes);
}

interface ExportParts extends Parts {
  readonly storage: BackupStorage;
  /** All contents of the store, as import lines. */
  readonly lines: () => AsyncIterable<ExportLine>;
  /** Throws if the process is about to end, because reading a large store takes long. */
  readonly goOn: () => void;
}

/** Backups as exports, for a store that is not in a folder. */
export class ExportBackups implements BackupMaking {
  readonly #parts: ExportParts;
  /** The last backup that this process made, and the number of changes of the store before it. */
  #last: { readonly name: string; readonly changes: number } | undefined;

  constructor(parts: ExportParts) {
    this.#parts = parts;
  }

  async make({ kind, previous }: Order): Promise<StoredBackup> {
    const { store, place, storage, telemetry, lines, goOn } = this.#parts;
    // The backup must contain every save that was acknowledged to a client.
    await store.catchUp();
    const { changesSeen: changes } = store.entries;
    if (previous !== undefined && previous.name === this.#last?.name && this.#last.changes === changes) return previous;
    const copy = new ExportText(this.#withTombstones(lines()), goOn);
    const stored = await telemetry.timed('backup', () => storage.writeExport(copy, { kind, version: place.version }));
    this.#last = { name: stored.name, changes };
    return stored;
  }

  /**
   * Read before the entries: an entry deleted during the export is in the export, and its tombstone is not, as the deletion came after the
   * backup began.
   */
  async *#withTombstones(lines: AsyncIterable<ExportLine>): AsyncGenerator<ExportLine | TombstoneLine> {
    const { tombstones } = this.#parts.store.auxiliary;
    for (const id of tombstones.ids()) {
      const tombstone = tombstones.get(id);
      if (tombstone !== undefined) yield { tombstone };
    }
    yield* lines;
  }
}

/** Tombstones are not part of an export, but a restored store needs them. */
interface TombstoneLine {
  readonly tombstone: Tombstone;
}

/** Text is written in pieces of this length, because single lines are slower. */
const PIECE_CHARS = 64 * 1024;

/** A vector as base64 of its 32-bit floats: half as long as decimal digits, and a third of the work. */
function packed(line: ExportLine | TombstoneLine): unknown {
  if (!('content' in line) || line.embedding === undefined) return line;
  return { ...line, embedding: Buffer.from(Float32Array.from(line.embedding).buffer).toString('base64') };
}

class ExportText implements ExportCopy {
  readonly takenAt = Date.now();
  readonly #lines: AsyncIterable<ExportLine | TombstoneLine>;
  readonly #goOn: () => void;
  #entries = 0;

  constructor(lines: AsyncIterable<ExportLine | TombstoneLine>, goOn: () => void) {
    this.#lines = lines;
    this.#goOn = goOn;
  }

  get entries(): number {
    return this.#entries;
  }

  async *text(): AsyncGenerator<string> {
    let piece = '';
    for await (const line of this.#lines) {
      this.#goOn();
      if ('content' in line) this.#entries += 1;
      piece += `${JSON.stringify(packed(line))}\n`;
      if (piece.length < PIECE_CHARS) continue;
      yield piece;
      piece = '';
    }
    if (piece !== '') yield piece;
  }
}
