import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { connect } from '@lancedb/lancedb';
import { describe, expect, it } from 'vitest';
import { openApp } from '../../src/app.ts';
import type { MemoryOperations } from '../../src/memory/operations/operations.ts';
import { SECRET_KINDS, type SecretKind } from '../../src/memory/secrets/redaction.ts';
import { testConfig } from '../helpers/app.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { recordedLog, type RecordedLog } from '../helpers/recorded-log.ts';

/** Letters and digits that look made by chance, the same for the same seed. */
function chance(length: number, seed: number): string {
  let state = seed * 7919 + 17;
  return Array.from({ length }, () => {
    state = (state * 48_271) % 2_147_483_647;
    return 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'.charAt(state % 62);
  }).join('');
}

/** A sentence that holds one secret of each kind; `core` is the part by which it is found on the disk. */
const SAYS: Readonly<Record<SecretKind, (seed: number) => { readonly core: string; readonly text: string }>> = {
  'private-key': (seed) => {
    const lines = [1, 2, 3, 4].map((nth) => chance(64, seed + nth));
    return { core: lines[1]!, text: `-----BEGIN PRIVATE KEY-----\n${lines.join('\n')}\n-----END PRIVATE KEY-----` };
  },
  'aws-key': (seed) =>
    ((core) => ({ core, text: `bucket AKIA${core}` }))(
      chance(60, seed)
        .toUpperCase()
        .replaceAll(/[^A-Z]/g, '')
        .slice(0, 16),
    ),
  'github-token': (seed) => ((core) => ({ core, text: `clone with ghp_${core}` }))(chance(36, seed)),
  'gitlab-token': (seed) => ((core) => ({ core, text: `PRIVATE-TOKEN: glpat-${core}` }))(chance(20, seed)),
  'slack-token': (seed) => ((core) => ({ core, text: `bot xoxb-123456789012-1234567890123-${core}` }))(chance(24, seed)),
  'stripe-key': (seed) => ((core) => ({ core, text: `charge with sk_live_${core}` }))(chance(24, seed)),
  'anthropic-key': (seed) => ((core) => ({ core, text: `key sk-ant-api03-${core}-AAAAAAAA` }))(chance(93, seed)),
  'openai-key': (seed) => ((core) => ({ core, text: `key sk-proj-${core}` }))(chance(48, seed)),
  'google-key': (seed) => ((core) => ({ core, text: `maps key AIza${core}` }))(chance(35, seed)),
  'npm-token': (seed) => ((core) => ({ core, text: `publish with npm_${core}` }))(chance(36, seed)),
  'service-token': (seed) => ((core) => ({ core, text: `pull with hf_${core}` }))(chance(34, seed)),
  jwt: (seed) => ((core) => ({ core, text: `session eyJ${chance(20, seed + 1)}.eyJ${core}.${chance(43, seed + 2)}` }))(chance(60, seed)),
  'bearer-token': (seed) => ((core) => ({ core, text: `curl -H "Authorization: Bearer ${core}"` }))(chance(40, seed)),
  'url-password': (seed) => ((core) => ({ core, text: `postgres://shop:${core}@db.internal:5432/shop` }))(chance(14, seed)),
  password: (seed) => ((core) => ({ core, text: `DB_PASSWORD=${core}` }))(`Tr0ub4dor${chance(8, seed)}`),
  token: (seed) => ((core) => ({ core, text: `SESSION_SECRET=${core}` }))(chance(32, seed)),
};

/** A secret of every kind for one way into the store. */
class Secrets {
  readonly cores: string[] = [];
  #seed: number;

  constructor(seed: number) {
    this.#seed = seed * 100_000;
  }

  text(words: string): string {
    const said = SECRET_KINDS.map((kind) => SAYS[kind]((this.#seed += 10)));
    this.cores.push(...said.map(({ core }) => core));
    return `${words}\n${said.map(({ text }) => text).join('\nand\n')}\nthat is all`;
  }
}

async function* lines(...values: readonly unknown[]): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(Buffer.from(values.map((value) => `${JSON.stringify(value)}\n`).join('')));
}

/**
 * The bytes of each file below a folder, in small letters. A store that is open replaces and removes files meanwhile: what is gone before it was read
 * is left out, and what took its place is seen by the look after the store was closed.
 */
async function bytesBelow(folder: string): Promise<string[]> {
  const entries = (await readdir(folder, { withFileTypes: true }).catch(ignoreMissing)) ?? [];
  const found = await Promise.all(
    entries.map(async (entry) => {
      const place = path.join(folder, entry.name);
      if (entry.isDirectory()) return await bytesBelow(place);
      const bytes = entry.isFile() ? await readFile(place).catch(ignoreMissing) : undefined;
      return bytes === undefined ? [] : [bytes.toString('latin1').toLowerCase()];
    }),
  );
  return found.flat();
}

function ignoreMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
}

/** Which of these parts stand anywhere in the files below a folder, or in a row of a table that the engine packs; whatever their case. */
async function onDisk(folder: string, cores: readonly string[]): Promise<string[]> {
  const bytes = await bytesBelow(folder);
  const db = await connect(path.join(folder, 'store'));
  for (const name of await db.tableNames()) {
    const table = await db.openTable(name);
    const rows = await table.query().limit(1_000_000).toArray();
    const text = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);
    bytes.push(JSON.stringify(rows, text).toLowerCase());
    table.close();
  }
  db.close();
  expect(bytes.length).toBeGreaterThan(5);
  return cores.filter((core) => bytes.some((file) => file.includes(core.toLowerCase())));
}

/** Captured text through everything that is done with it. */
async function captured(memories: MemoryOperations, secrets: Secrets): Promise<void> {
  const { entry } = await memories.save({ content: secrets.text('Saved by a hook') }, { source: 'auto-capture' });
  await memories.update(entry.id, { content: secrets.text('Changed later'), tags: [secrets.text('').slice(0, 100)] });
  await memories.update(entry.id, { content: secrets.text('Changed once more') });
  for (const event of ['prompt', 'response'] as const)
    await memories.capture.accept({
      client: 'claude',
      session: 's',
      event,
      text: secrets.text('We decided to use Postgres instead of MySQL for orders.'),
    });
  const output = secrets.text('error: the build failed');
  await memories.capture.accept({ client: 'claude', session: 's', event: 'tool', tool: 'Bash', input: secrets.text('make'), output });
  await memories.capture.undo({ session: 's', dryRun: true });
  await memories.import(
    lines({ content: secrets.text('imported'), source: 'auto-capture', metadata: { sourceRef: { note: secrets.text('') } } }),
    {},
  );
}

/** The same of text that somebody saves on purpose. */
async function saved(memories: MemoryOperations, secrets: Secrets): Promise<void> {
  const { entry } = await memories.save({ content: secrets.text('Saved by hand'), tags: [secrets.text('').slice(0, 100)] });
  await memories.update(entry.id, { content: secrets.text('Changed by hand') });
  await memories.import(lines({ content: secrets.text('imported') }), {});
  const passages = [{ content: secrets.text('a passage'), start: 1, end: 2, heading: 'setup' }];
  await memories.sources.replace({ kind: 'ingest', root: 'r', files: [{ path: 'a.md', hash: 'a', passages }] });
}

/** Puts everything away and back, packs it, and copies it. */
async function keep(memories: MemoryOperations): Promise<void> {
  await memories.backups.create();
  const ids = (await memories.list({ limit: 100 })).entries.map(({ id }) => id);
  const { token } = await memories.lifecycle.forgetMany({ ids });
  await memories.lifecycle.forgetMany({ ids, confirm: token! });
  await memories.lifecycle.restore({ ids: ids.slice(0, 2) });
  await memories.import(lines(...Array.from({ length: 1100 }, (_, nth) => ({ content: `line ${nth} of many` }))), {});
  await memories.lifecycle.compact({});
  await memories.backups.create();
}

async function withApp(folder: string, mode: string, log: RecordedLog, work: (memories: MemoryOperations) => Promise<void>): Promise<void> {
  const flags = { 'memory.redactSecrets': mode, 'audit.enabled': true, 'audit.path': path.join(folder, 'audit') };
  await using app = await openApp(testConfig(folder, flags), { log, cwd: folder, background: false });
  await work(app.ownMemories);
}

describe('the scan of the disk', () => {
  it('tolerates files and folders that vanish while it reads', async () => {
    await using folder = await temporaryFolder();
    await writeFile(path.join(folder.path, 'stays'), 'Walrus');
    const over = new AbortController();
    const replacing = (async () => {
      const [drafts, file] = [path.join(folder.path, 'drafts'), path.join(folder.path, 'head.json')];
      while (!over.signal.aborted) {
        await mkdir(drafts);
        for (let nth = 0; nth < 20; nth += 1) await writeFile(path.join(drafts, `head.json.${nth}`), 'heron');
        await rename(path.join(drafts, 'head.json.0'), file);
        await rm(drafts, { recursive: true });
      }
    })();
    try {
      for (let look = 0; look < 200; look += 1) expect(await bytesBelow(folder.path)).toContain('walrus');
    } finally {
      over.abort();
      await replacing;
    }
  });
});

describe('memory.redactSecrets', () => {
  it('always: no kind of secret is anywhere below the data folder or in the log', async () => {
    await using folder = await temporaryFolder();
    const [log, secrets] = [recordedLog(), new Secrets(1)];
    await withApp(folder.path, 'always', log, async (memories) => {
      await captured(memories, secrets);
      await saved(memories, secrets);
      expect(await onDisk(folder.path, secrets.cores)).toEqual([]);
      await keep(memories);
      expect(await onDisk(folder.path, secrets.cores)).toEqual([]);
    });
    expect(await onDisk(folder.path, secrets.cores)).toEqual([]);
    expect(secrets.cores.filter((core) => JSON.stringify(log.lines).includes(core))).toEqual([]);
  });

  it('machines: no captured secret is stored; one saved on purpose is, but not in the log', async () => {
    await using folder = await temporaryFolder();
    const [log, ofHooks, ofPeople] = [recordedLog(), new Secrets(2), new Secrets(3)];
    await withApp(folder.path, 'machines', log, async (memories) => {
      await captured(memories, ofHooks);
      await saved(memories, ofPeople);
      await keep(memories);
      expect(await onDisk(folder.path, ofHooks.cores)).toEqual([]);
    });
    expect(await onDisk(folder.path, ofHooks.cores)).toEqual([]);
    const kept = await onDisk(folder.path, ofPeople.cores);
    // What this looks for, it finds: those of the first text are in its history.
    expect(ofPeople.cores.slice(0, SECRET_KINDS.length).filter((core) => !kept.includes(core))).toEqual([]);
    const told = [...ofHooks.cores, ...ofPeople.cores].filter((core) => JSON.stringify(log.lines).includes(core));
    expect(told).toEqual([]);
  });

  it('never: everything is stored unchanged, and nothing of it is in the log', async () => {
    await using folder = await temporaryFolder();
    const [log, secrets] = [recordedLog(), new Secrets(4)];
    await withApp(folder.path, 'never', log, (memories) => saved(memories, secrets));
    const kept = await onDisk(folder.path, secrets.cores);
    expect(secrets.cores.slice(0, SECRET_KINDS.length).filter((core) => !kept.includes(core))).toEqual([]);
    expect(secrets.cores.filter((core) => JSON.stringify(log.lines).includes(core))).toEqual([]);
  });
});
