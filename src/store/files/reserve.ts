import { randomBytes } from 'node:crypto';
import { rmSync, statSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import path from 'node:path';
import { BusyError } from '../../memory/errors.ts';
import type { Log } from '../../memory/log.ts';
import { diskSpace, type DiskSpace } from './disk-space.ts';
import { isDiskFull } from '../errors/store-error.ts';

/** A file that only reserves disk space: anyone who needs the space may delete it. */
const BALLAST_FILE = 'ballast';

const MIB = 1024 * 1024;
/** Largest share of the disk, because a small one has better uses for its space. */
const LARGEST_SHARE = 1 / 16;
/** Free space required before the reserve is created again, so that saves do not stop and resume all the time. */
const MARGIN_BYTES = MIB;
/** Delay, because a short command would write it for nothing. */
const MAKE_AFTER_MS = 2_000;
const RETRY_SECONDS = 10;

/**
 * Reserved disk space. When the disk is full, it is released, and saves are refused until it can be reserved again. The released space is
 * for forgetting, compaction and a clean stop.
 */
export class Reserve {
  readonly #file: string;
  readonly #folder: string;
  readonly #wanted: number;
  readonly #log: Pick<Log, 'warn' | 'info'>;
  #bytes = 0;
  #full = false;
  #making: Promise<boolean> | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** `bytes`: size of the reserve; less on a small disk, 0 for none. */
  constructor({
    path: storePath,
    bytes,
    log,
  }: {
    readonly path: string;
    readonly bytes: number;
    readonly log: Pick<Log, 'warn' | 'info'>;
  }) {
    this.#folder = storePath;
    this.#file = path.join(storePath, BALLAST_FILE);
    this.#wanted = bytes;
    this.#log = log;
  }

  /** Checks the disk, and creates the reserve a little later if there is space. */
  async begin(): Promise<void> {
    const space = await diskSpace(this.#folder);
    this.#bytes = space === undefined ? 0 : Math.floor(Math.min(this.#wanted, space.total * LARGEST_SHARE) / MIB) * MIB;
    if (this.#bytes === 0) dropBallast(this.#folder);
    if (space === undefined || this.#bytes === 0 || this.#isThere()) return;
    this.#full = !this.#hasRoom(space);
    if (this.#full) dropBallast(this.#folder);
    else this.#timer = setTimeout(() => void this.#alone(() => this.#make()), MAKE_AFTER_MS).unref();
  }

  /** Whether saves are refused because the disk is full. */
  get isFull(): boolean {
    return this.#full;
  }

  /** Call for every failure of the store: releases the reserve if the disk was full. */
  noteFailure(error: unknown): void {
    if (!isDiskFull(error) || this.#full) return;
    this.#full = true;
    clearTimeout(this.#timer);
    dropBallast(this.#folder);
    this.#log.warn({ store: this.#folder }, 'the disk is full: saves fail until there is space again; reading and forgetting still work');
  }

  /** Resolves if saves are possible; after a full disk, as soon as there is space again. Rejects with `unavailable`. */
  async requireRoom(): Promise<void> {
    if (!this.#full) return;
    if (await this.#alone(() => this.#regain())) return;
    throw new BusyError('Could not save: the disk is full.', RETRY_SECONDS, {
      hint: 'Free some space. Reading still works, and saving resumes at once.',
    });
  }

  /** Resolves when no write is running. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#making;
  }

  /** One check at a time; concurrent callers share it. */
  #alone(work: () => Promise<boolean>): Promise<boolean> {
    this.#making ??= work().finally(() => {
      this.#making = undefined;
    });
    return this.#making;
  }

  async #regain(): Promise<boolean> {
    const space = await diskSpace(this.#folder);
    if (space !== undefined && !this.#hasRoom(space)) return false;
    if (!(await this.#make())) return false;
    this.#full = false;
    this.#log.info({ store: this.#folder }, 'there is space on the disk again: saves work');
    return true;
  }

  #isThere(): boolean {
    return this.#size() >= this.#bytes;
  }

  #size(): number {
    return sizeOf(this.#file) ?? 0;
  }

  /** Whether the reserve fits; an existing part counts. */
  #hasRoom({ free }: DiskSpace): boolean {
    return free + this.#size() >= this.#bytes + MARGIN_BYTES;
  }

  /** Creates the reserve if missing. Returns whether it exists now. */
  async #make(): Promise<boolean> {
    if (this.#bytes === 0 || this.#isThere()) return true;
    // Random bytes: zeros take no space if the file system compresses or stores holes.
    const block = randomBytes(MIB);
    try {
      const file = await open(this.#file, 'w', 0o600);
      try {
        for (let written = 0; written < this.#bytes; written += block.length) await file.writeFile(block);
      } finally {
        await file.close();
      }
      return true;
    } catch {
      await rm(this.#file, { force: true }).catch(() => undefined);
      return false;
    }
  }
}

/** Undefined if the file is missing or cannot be examined: then it reserves nothing, and nothing may fail because of it. */
function sizeOf(file: string): number | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false })?.size;
  } catch {
    return undefined;
  }
}

/** Releases the reserve. Returns whether there was one. */
export function dropBallast(storePath: string): boolean {
  const file = path.join(storePath, BALLAST_FILE);
  if (sizeOf(file) === undefined) return false;
  try {
    rmSync(file, { force: true });
    return true;
  } catch {
    return false;
  }
}
