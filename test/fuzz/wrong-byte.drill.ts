import { cp, mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openApp, type App } from '../../src/app.ts';
import type { LoadedConfig } from '../../src/config/load.ts';
import { silentLog } from '../../src/memory/log.ts';
import type { VerifyReport } from '../../src/memory/operations/operations.ts';
import { repairStore } from '../../src/repair-store.ts';
import { knownFiles, pathInStore, wrongFiles } from '../../src/store/recovery/file-check.ts';
import { testConfig } from '../helpers/app.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { replay, seedOf } from './budget.ts';

const FILE = 'test/fuzz/wrong-byte.drill.ts';
const SEED = seedOf('wrong-byte');
const PLACES = Number(process.env['LORE_FUZZ_PLACES'] ?? '500');
/** Each place is compared as `verify` does; opening the store, reading all of it and repairing it take seconds, so only each twentieth is. */
const WHOLE_EVERY = 20;
/** So many that there is a vector index. */
const ENTRIES = 2100;
const FLUSHES = 4;
/** Of the entry that is searched for. */
const TEXT = 'river number 1076 by the dawn';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let before: Reading;
beforeAll(async () => {
  folder = await temporaryFolder();
  await makeStore();
  before = await readingOf(configOf('store'));
});
afterAll(() => folder[Symbol.asyncDispose]());

/** A store in a folder of its own, with its backups beside it where there are any. */
const configOf = (name: string): LoadedConfig =>
  testConfig(path.join(folder.path, name), { 'storage.path': path.join(folder.path, name, 'store') });

const quiet = { log: silentLog, background: false } as const;

async function makeStore(): Promise<void> {
  const config = configOf('store');
  await mkdir(path.join(folder.path, 'store'));
  const words = ['walrus', 'heron', 'crane', 'harbour', 'stone', 'river', 'dawn'];
  for (let flush = 0; flush < FLUSHES; flush += 1) {
    const lines = Array.from({ length: ENTRIES / FLUSHES }, (_, nth) => {
      const at = flush * (ENTRIES / FLUSHES) + nth;
      const content = at === 1076 ? TEXT : `${words[at % 7]} number ${at} by the ${words[(at * 5) % 6]}`;
      return JSON.stringify({ content, tags: [`t${at % 5}`], namespace: at % 3 === 0 ? 'third' : 'rest' });
    });
    await using app = await openApp(config, { log: silentLog });
    await app.memories.import(Readable.from([Buffer.from(lines.join('\n'))]), {});
    const { entries } = await app.memories.list({ allNamespaces: true, limit: 20 });
    for (const [nth, { id }] of entries.slice(0, 10).entries()) {
      await app.memories.relations.relate({ sourceId: id, targetId: entries[nth + 10]!.id, type: 'references' });
    }
    await app.memories.update(entries[19]!.id, { priority: 'high' });
    for (const { id } of entries.slice(14, 17)) await app.memories.forget(id);
    await atRest(app);
    // Older than the last rows, and of other files than the store has in the end.
    if (flush === FLUSHES - 2) await app.memories.backups.create();
  }
  // Nothing is merged after it: its files are those of the store.
  await using app = await openApp(config, quiet);
  await app.memories.backups.create();
}

async function atRest({ memories }: App): Promise<void> {
  await vi.waitUntil(async () => (await memories.health()).maintenance === 'idle', { timeout: 60_000, interval: 50 });
}

interface Reading {
  /** Entries with their vectors, relations, the archive and earlier versions. */
  readonly lines: readonly string[];
  readonly found: readonly string[];
}

/** All that can be asked of a store. */
async function readingOf(config: LoadedConfig): Promise<Reading> {
  await using app = await openApp(config, quiet);
  return await readingFrom(app);
}

async function readingFrom({ memories }: App): Promise<Reading> {
  const lines: string[] = [];
  for await (const line of memories.export({ all: true, vectors: true })) if (!('lore' in line)) lines.push(JSON.stringify(line));
  const found: string[] = [];
  // Those after the first few may be as good as one another.
  for (const searchMode of ['keyword', 'vector'] as const) {
    const { results } = await memories.search({ query: TEXT, searchMode, limit: 3, namespace: 'rest' });
    found.push(`${searchMode} ${results[0]?.entry.content}`);
  }
  return { lines: lines.toSorted(), found };
}

interface Place {
  /** Below the store. */
  readonly file: string;
  readonly at: number;
  /** What the byte is changed by. */
  readonly by: number;
}

function* numbers(seed: number): Generator<number, never> {
  for (let state = seed >>> 0; ;) {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    yield ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
}

/** Four of five in files that are in use, the others also in what older versions left. Half of them anywhere in the bytes, half in any file, so that small ones have their share. */
async function places(): Promise<Place[]> {
  const store = configOf('store').config.storage.path;
  const files: { file: string; bytes: number }[] = [];
  for (const entry of (await readdir(store, { recursive: true, withFileTypes: true })).filter((found) => found.isFile())) {
    const file = path.relative(store, path.join(entry.parentPath, entry.name));
    if (/^(?:\w+\.lance|__manifest)\//.test(file)) files.push({ file, bytes: (await stat(path.join(store, file))).size });
  }
  files.sort((a, b) => (a.file < b.file ? -1 : 1));
  const used = new Set(knownFiles(store).map(pathInStore));
  const inUse = files.filter(({ file }) => used.has(file));
  const random = numbers(SEED);
  const next = (): number => random.next().value;
  return Array.from({ length: PLACES }, (_, nth) => {
    const among = nth % 5 === 4 ? files : inUse;
    const anywhere = Math.floor(next() * among.reduce((sum, { bytes }) => sum + bytes, 0));
    const anyFile = among[Math.floor(next() * among.length)]!;
    const by = 1 + Math.floor(next() * 255);
    return { ...(nth % 2 === 0 ? placeAt(among, anywhere) : { file: anyFile.file, at: Math.floor(next() * anyFile.bytes) }), by };
  });
}

/** The file that a byte of all of them lies in, and where. */
function placeAt(files: readonly { readonly file: string; readonly bytes: number }[], anywhere: number): Pick<Place, 'file' | 'at'> {
  let at = anywhere;
  for (const { file, bytes } of files) {
    if (at < bytes) return { file, at };
    at -= bytes;
  }
  throw new RangeError('there is no such byte');
}

async function flip(config: LoadedConfig, { file, at, by }: Place): Promise<void> {
  const handle = await open(path.join(config.config.storage.path, file), 'r+');
  const byte = Buffer.alloc(1);
  await handle.read(byte, 0, 1, at);
  byte[0]! ^= by;
  await handle.write(byte, 0, 1, at);
  await handle.close();
}

const said = ({ file, at, by }: Place): string => `${file} at ${at} by ${by}. ${replay(FILE)}`;

describe(`one wrong byte at ${PLACES} places of the files of a store (seed ${SEED})`, () => {
  it('is detected if it changes what is read, and repaired or reported', { timeout: 600_000 }, async () => {
    const counts = { named: 0, unchanged: 0, refused: 0, whole: 0, repairedFromBackup: 0, repairedByChecksum: 0, rowByRow: 0 };
    const chosen = await places();
    expect(before.found).toEqual([`keyword ${TEXT}`, `vector ${TEXT}`]);
    const bare = configOf('store').config.storage.path;
    for (const [nth, place] of chosen.entries()) {
      await flip(configOf('store'), place);
      const named = (await wrongFiles(bare)).map(pathInStore);
      expect(named.length === 0 || named.includes(place.file), said(place)).toBe(true);
      if (named.length > 0) counts.named += 1;
      else counts.unchanged += 1;
      // The same again takes it back: a backup shares its files with the store.
      await flip(configOf('store'), place);
      // In turn of all kinds: one of twenty, of each residue.
      if (nth % WHOLE_EVERY === Math.floor(nth / WHOLE_EVERY) % WHOLE_EVERY) {
        counts.whole += 1;
        await expectWayOut(place, { isNamed: named.length > 0, hasBackup: counts.whole % 2 === 0, counts });
      }
    }
    process.stdout.write(`wrong bytes, seed ${SEED}: ${JSON.stringify(counts)}\n`);
    expect(counts.named + counts.unchanged).toBe(PLACES);
    expect(counts.rowByRow).toBe(0);
    expect(counts.repairedFromBackup).toBeGreaterThan(0);
    expect(counts.repairedByChecksum).toBeGreaterThan(0);
  });
});

const idOf = (line: string): string => (JSON.parse(line) as { id?: string }).id ?? '';

/** What a sector may become. */
const STRETCH_BYTES = 64;
const STRETCHES = 8;

describe(`${STRETCH_BYTES} wrong bytes at ${STRETCHES} places of the rows (seed ${SEED})`, () => {
  it('are repaired from an older backup if possible, and each changed entry is listed', { timeout: 600_000 }, async () => {
    const store = configOf('store').config.storage.path;
    const data = knownFiles(store).filter(({ table, file }) => table === 'entries' && file.startsWith('data/'));
    const random = numbers(SEED + 1);
    const counts = { restored: 0, named: 0, unreadable: 0 };
    for (let nth = 0; nth < STRETCHES; nth += 1) {
      const config = await copyOf('closed', true);
      const backups = path.join(folder.path, 'closed', 'backups', 'store');
      const [, newest] = (await readdir(backups)).toSorted();
      await rm(path.join(backups, newest!), { recursive: true });
      const known = data[nth % data.length]!;
      const at = Math.floor(random.next().value * (known.sum.bytes - STRETCH_BYTES));
      for (let byte = 0; byte < STRETCH_BYTES; byte += 1) await flip(config, { file: pathInStore(known), at: at + byte, by: 0x5a });
      const repaired = await repairStore(config, { log: silentLog, dryRun: false });
      const place = said({ file: pathInStore(known), at, by: 0x5a });
      expect([repaired.repaired, repaired.putBack], place).toEqual([true, []]);
      const named = new Set([...repaired.altered, ...repaired.lost, ...repaired.doubtful]);
      const unreadable = repaired.tables.reduce((sum, { unreadableRows }) => sum + unreadableRows, 0);
      const after = new Set((await readingOf(config)).lines);
      const unnamed = before.lines.filter((line) => !after.has(line) && !named.has(idOf(line)));
      // Rows of which not even the id can be read are counted.
      expect(unnamed.length, place).toBeLessThanOrEqual(unreadable);
      counts.restored += repaired.restored.length;
      counts.named += named.size;
      counts.unreadable += unreadable;
      await rm(path.join(folder.path, 'closed'), { recursive: true, force: true });
    }
    process.stdout.write(`stretches of wrong bytes, seed ${SEED}: ${JSON.stringify(counts)}\n`);
    expect(counts.restored).toBeGreaterThan(0);
  });
});

interface Outcome {
  readonly isNamed: boolean;
  readonly hasBackup: boolean;
  readonly counts: { refused: number; repairedFromBackup: number; repairedByChecksum: number; rowByRow: number };
}

/** Opens a copy of the store, looks at what it says and reads all of it; and repairs another copy and reads that. */
async function expectWayOut(place: Place, { isNamed, hasBackup, counts }: Outcome): Promise<void> {
  const opened = await copyOf('opened', false);
  await flip(opened, place);
  try {
    const { reading, report } = await openedReading(opened);
    if (reading === undefined) counts.refused += 1;
    const isSame = reading !== undefined && isDeepStrictEqual(reading, before);
    const names = reading === undefined || (report?.files?.wrong.some((file) => file.path === place.file) ?? false);
    expect(isSame || (names && isNamed), `changed and not named: ${said(place)}`).toBe(true);

    if (!isNamed) return;
    const closed = await copyOf('closed', hasBackup);
    await flip(closed, place);
    const repaired = await repairStore(closed, { log: silentLog, dryRun: false });
    expect(repaired.repaired, said(place)).toBe(true);
    for (const { way } of repaired.putBack) counts[way === 'backup' ? 'repairedFromBackup' : 'repairedByChecksum'] += 1;
    if (repaired.putBack.length === 0) counts.rowByRow += 1;
    expect([repaired.altered, repaired.lost, repaired.doubtful], said(place)).toEqual([[], [], []]);
    expect(await readingOf(closed), said(place)).toEqual(before);
  } finally {
    for (const name of ['opened', 'closed']) await rm(path.join(folder.path, name), { recursive: true, force: true });
  }
}

/** Undefined where the store cannot be opened or read, which says that it is damaged. */
async function openedReading(config: LoadedConfig): Promise<{ reading: Reading | undefined; report?: VerifyReport }> {
  let app: App | undefined;
  try {
    app = await openApp(config, quiet);
    const report = await app.memories.verify();
    return { report, reading: await readingFrom(app) };
  } catch {
    return { reading: undefined };
  } finally {
    await app?.close();
  }
}

async function copyOf(name: string, withBackups: boolean): Promise<LoadedConfig> {
  const [from, to] = [path.join(folder.path, 'store'), path.join(folder.path, name)];
  await cp(path.join(from, 'store'), path.join(to, 'store'), { recursive: true });
  if (withBackups) await cp(path.join(from, 'backups'), path.join(to, 'backups'), { recursive: true });
  return configOf(name);
}
