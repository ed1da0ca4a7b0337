import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it, vi } from 'vitest';
import { createLocalEmbedder, type LocalEmbedder, type LocalOptions } from '../../src/embeddings/local.ts';
import { localModelFiles } from '../../src/embeddings/model-files.ts';
import type { LoreError } from '../../src/memory/errors.ts';
import { failureOf } from '../helpers/failure.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { deadAddress, startModelHost } from '../helpers/model-host.ts';
import { recordedLog, type RecordedLog } from '../helpers/recorded-log.ts';
import { MODEL_FILE, TINY_MODEL, writeTinyModel } from '../helpers/tiny-model.ts';

interface Opened extends AsyncDisposable {
  readonly local: LocalEmbedder;
  readonly log: RecordedLog;
  readonly cacheDir: string;
  readonly failures: LoreError[];
  /** The process that holds the model now. */
  pid(): number;
}

const DIST = new URL('../../dist/embeddings/local.js', import.meta.url).href;

/** A local embedder on folders of its own; the tiny model is there unless a host is given. */
async function open(options: Partial<LocalOptions> = {}): Promise<Opened> {
  const folder = await temporaryFolder();
  const cacheDir = join(folder.path, 'cache');
  const localModelPath = join(folder.path, 'models');
  if (options.remoteHost === undefined) await writeTinyModel(localModelPath);
  const log = recordedLog();
  const failures: LoreError[] = [];
  const local = createLocalEmbedder({
    model: TINY_MODEL,
    dimensions: 384,
    cacheDir,
    localModelPath,
    allowDownload: options.remoteHost !== undefined,
    idleUnloadMs: 0,
    timeoutMs: 20_000,
    log,
    onLoadFailure: (error) => failures.push(error),
    ...options,
  });
  return {
    local,
    log,
    cacheDir,
    failures,
    pid: () => log.lines.findLast(({ message }) => message === 'The model is loaded.')?.fields['pid'] as number,
    async [Symbol.asyncDispose]() {
      await local.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const ended = (pid: number): Promise<void> => vi.waitFor(() => expect(isAlive(pid)).toBe(false), { timeout: 10_000 });

describe('the model process', () => {
  it('starts with the first text', async () => {
    await using opened = await open();
    expect(opened.local.report()).toEqual({ state: 'idle' });
    expect(opened.log.lines).toEqual([]);
    await opened.local.embedQuery('coffee');
    expect(opened.local.report()).toEqual({ state: 'ready' });
    expect(isAlive(opened.pid())).toBe(true);
  });

  it('starts once for many callers', async () => {
    await using opened = await open();
    await Promise.all(['tea', 'coffee', 'milk'].map((text) => opened.local.embedQuery(text)));
    expect(opened.log.lines).toHaveLength(1);
  });

  it('restarts and repeats the texts if it was killed between calls', async () => {
    await using opened = await open();
    const before = await opened.local.embedQuery('coffee');
    const first = opened.pid();
    process.kill(first, 'SIGKILL');
    await ended(first);
    expect(await opened.local.embedQuery('coffee')).toEqual(before);
    expect(opened.pid()).not.toBe(first);
  });

  it('restarts if it is killed during a call', async () => {
    await using opened = await open();
    await opened.local.load();
    const first = opened.pid();
    process.kill(first, 'SIGSTOP');
    const vectors = opened.local.embedDocuments(['coffee', 'tea']);
    process.kill(first, 'SIGKILL');
    expect(await vectors).toHaveLength(2);
    expect(opened.pid()).not.toBe(first);
  });

  it('is killed after a timeout, and the next text starts another', async () => {
    await using opened = await open({ timeoutMs: 1_000 });
    await opened.local.load();
    const first = opened.pid();
    process.kill(first, 'SIGSTOP');
    await expect(opened.local.embedQuery('coffee')).rejects.toMatchObject({
      code: 'unavailable',
      message: 'The model did not answer within 1 s.',
    });
    await ended(first);
    expect(await opened.local.embedQuery('coffee')).toHaveLength(384);
  });

  it('is unloaded when idle, and reloaded on demand', async () => {
    await using opened = await open({ idleUnloadMs: 50 });
    await opened.local.embedQuery('coffee');
    const first = opened.pid();
    await ended(first);
    expect(opened.local.report()).toEqual({ state: 'idle' });
    expect(await opened.local.embedQuery('coffee')).toHaveLength(384);
    expect(opened.pid()).not.toBe(first);
    expect(opened.log.lines.filter(({ level }) => level === 'warn')).toEqual([]);
  });

  it('ignores the signals that a terminal sends to the group', async () => {
    await using opened = await open();
    await opened.local.load();
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(opened.pid(), signal);
    expect(await opened.local.embedQuery('coffee')).toHaveLength(384);
    expect(opened.log.lines).toHaveLength(1);
  });

  it('ends with the embedder', async () => {
    await using opened = await open();
    await opened.local.load();
    const pid = opened.pid();
    await opened.local.close();
    expect(isAlive(pid)).toBe(false);
  });

  it('ends during loading if the embedder is closed', async () => {
    await using opened = await open();
    const loading = failureOf(opened.local.load());
    await opened.local.close();
    expect(await loading).toMatchObject({ message: 'The embedder local is closed.' });
  });
});

describe('next to its parent process', () => {
  /** Another Node with a local embedder in it, as `body` says; `report` prints. */
  async function run(folder: string, body: string) {
    await writeTinyModel(folder);
    const options = { model: TINY_MODEL, dimensions: 384, cacheDir: join(folder, 'cache'), localModelPath: folder, allowDownload: false };
    const script = `
      import { createLocalEmbedder } from ${JSON.stringify(DIST)};
      const report = (value) => console.log(JSON.stringify(value));
      const log = { debug: ({ pid }) => report(pid), info() {}, warn() {}, error() {} };
      const local = createLocalEmbedder({ ...${JSON.stringify(options)}, idleUnloadMs: 300000, timeoutMs: 20000, log });
      ${body}`;
    const parent = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    const lines: unknown[] = [];
    createInterface({ input: parent.stdout }).on('line', (line) => lines.push(JSON.parse(line)));
    const exit = new Promise<number | null>((resolve) => parent.once('exit', resolve));
    return { parent, lines, exit };
  }

  it('ends when its parent is killed', async () => {
    await using folder = await temporaryFolder();
    const { parent, lines, exit } = await run(folder.path, 'setInterval(() => {}, 1000); await local.load();');
    await vi.waitFor(() => expect(lines).toHaveLength(1), { timeout: 20_000 });
    const pid = lines[0] as number;
    expect(isAlive(pid)).toBe(true);
    parent.kill('SIGKILL');
    await exit;
    await ended(pid);
  });

  it('keeps its parent alive only while a caller waits for a vector', async () => {
    await using folder = await temporaryFolder();
    const { lines, exit } = await run(folder.path, 'report((await local.embedQuery("coffee")).length);');
    expect(await exit).toBe(0);
    expect(lines[1]).toBe(384);
    await ended(lines[0] as number);
  });

  it('does not keep its parent alive while it loads in advance', async () => {
    await using folder = await temporaryFolder();
    const { lines, exit } = await run(folder.path, 'void local.load().catch(() => {});');
    expect(await exit).toBe(0);
    expect(lines).toEqual([]);
  });
});

describe('downloading', () => {
  it('downloads the model once and reports the progress', async () => {
    await using host = await startModelHost('hang');
    await using opened = await open({ remoteHost: host.url });
    const abandoned = failureOf(opened.local.embedQuery('coffee'));
    await vi.waitFor(
      () => expect(opened.local.report()).toEqual({ state: 'downloading', progress: expect.closeTo(0.5, 2) as unknown }),
      20_000,
    );
    host.behaviour = 'serve';
    await opened.local.close();
    expect(await abandoned).toMatchObject({ code: 'unavailable' });

    await using again = await open({ remoteHost: host.url, cacheDir: opened.cacheDir });
    expect(await again.local.embedQuery('coffee')).toHaveLength(384);
    expect(localModelFiles({ model: TINY_MODEL, cacheDir: opened.cacheDir, localModelPath: opened.cacheDir })).toBe(true);
    const asked = host.requests.length;
    await using third = await open({ remoteHost: host.url, cacheDir: opened.cacheDir });
    expect(await third.local.embedQuery('coffee')).toHaveLength(384);
    expect(host.requests).toHaveLength(asked);
  });

  it.each([
    ['missing', 'network', 'the host does not have it'],
    ['broken', 'network', 'the host reports an error'],
    ['cut', 'network', 'the connection broke'],
    ['short', 'network', 'the host sends other data'],
    ['captive', 'network', 'the host sends other data'],
  ] as const)('says in plain words what is wrong with a host that is %s, and works when it is not', async (behaviour, code, reason) => {
    await using host = await startModelHost(behaviour);
    await using opened = await open({ remoteHost: host.url });
    const message = `The model ${TINY_MODEL} could not be downloaded: ${reason}.`;
    await expect(opened.local.load()).rejects.toMatchObject({ code, message });
    expect(opened.local.report()).toEqual({ state: 'failed' });
    expect(opened.failures).toMatchObject([{ message }]);
    host.behaviour = 'serve';
    await opened.local.load();
    expect(opened.local.report()).toEqual({ state: 'ready' });
  });

  it('gives up on a host that stops sending', async () => {
    await using host = await startModelHost('hang');
    await using opened = await open({ remoteHost: host.url, stallMs: 1_500 });
    await expect(opened.local.load()).rejects.toMatchObject({
      code: 'network',
      message: `The model ${TINY_MODEL} could not be downloaded: the host stopped sending.`,
    });
  });

  it('reports an unreachable host without a network', async () => {
    const { url } = await deadAddress();
    await using opened = await open({ remoteHost: url });
    await expect(opened.local.load()).rejects.toMatchObject({
      code: 'network',
      message: `The model ${TINY_MODEL} could not be downloaded: the host does not accept connections.`,
    });
    await using lost = await open({ remoteHost: 'http://host.invalid/' });
    await expect(lost.local.load()).rejects.toMatchObject({ code: 'network', message: expect.stringMatching(/no network\.$/) as unknown });
  });

  it('downloads files again that an earlier download left damaged', async () => {
    await using host = await startModelHost();
    await using opened = await open({ remoteHost: host.url });
    await opened.local.load();
    await opened.local.close();
    const file = join(opened.cacheDir, TINY_MODEL, MODEL_FILE);
    const whole = await readFile(file);
    await writeFile(file, whole.subarray(0, 1_000));
    await writeFile(join(opened.cacheDir, TINY_MODEL, 'tokenizer.json'), '<html>');

    await using again = await open({ remoteHost: host.url, cacheDir: opened.cacheDir });
    expect(await again.local.embedQuery('coffee')).toHaveLength(384);
    expect(await readFile(file)).toEqual(whole);
    expect(again.log.lines).toContainEqual(
      expect.objectContaining({ level: 'warn', message: 'The downloaded model is damaged; downloading it again.' }),
    );
  });

  it('never deletes files copied in by the user', async () => {
    await using folder = await temporaryFolder();
    await writeTinyModel(folder.path);
    await writeFile(join(folder.path, TINY_MODEL, MODEL_FILE), 'version https://git-lfs.github.com/spec/v1');
    await using opened = await open({ localModelPath: folder.path, allowDownload: false });
    await expect(opened.local.load()).rejects.toMatchObject({
      code: 'filesystem',
      message: `The files of the model ${TINY_MODEL} are damaged, or are not a model.`,
    });
    expect(await readdir(join(folder.path, TINY_MODEL))).toHaveLength(4);
  });
});

describe('the files of a model', () => {
  it('are used from the copy folder and from the download folder', async () => {
    await using folder = await temporaryFolder();
    const places = { model: TINY_MODEL, cacheDir: join(folder.path, 'cache'), localModelPath: join(folder.path, 'models') };
    expect(localModelFiles(places)).toBe(false);
    await writeTinyModel(places.cacheDir);
    expect(localModelFiles(places)).toBe(true);
    await using opened = await open(places);
    expect(await opened.local.embedQuery('coffee')).toHaveLength(384);
  });

  it('count only if they are complete', async () => {
    await using folder = await temporaryFolder();
    const places = { model: TINY_MODEL, cacheDir: folder.path, localModelPath: folder.path };
    await writeTinyModel(folder.path);
    await writeFile(join(folder.path, TINY_MODEL, 'config.json'), '');
    expect(localModelFiles(places)).toBe(false);
  });

  it('are named when they are missing and must not be downloaded', async () => {
    await using folder = await temporaryFolder();
    await using opened = await open({ localModelPath: folder.path });
    await expect(opened.local.embedQuery('coffee')).rejects.toMatchObject({
      code: 'unavailable',
      message: `The model ${TINY_MODEL} is not on this machine, and downloading is switched off.`,
    });
  });

  it('do not crash the process if one of them is a folder', async () => {
    await using folder = await temporaryFolder();
    const home = join(folder.path, TINY_MODEL);
    await mkdir(join(home, 'tokenizer.json'), { recursive: true });
    const { url } = await deadAddress();
    await using opened = await open({ localModelPath: folder.path, remoteHost: url });
    await expect(opened.local.load()).rejects.toMatchObject({ name: 'LoreError' });
    expect(existsSync(home)).toBe(true);
  });

  it('must produce vectors of the configured width', async () => {
    await using opened = await open({ dimensions: 768 });
    await expect(opened.local.load()).rejects.toMatchObject({
      code: 'config',
      message: `The model ${TINY_MODEL} makes vectors of 384 numbers; 768 are configured.`,
      hint: expect.stringContaining('SERVICE_EMBEDDINGS_DIMENSIONS') as unknown,
    });
  });

  it('are used even if they differ from the published ones, with a warning', async () => {
    await using folder = await temporaryFolder();
    const model = 'Xenova/all-MiniLM-L6-v2';
    await writeTinyModel(folder.path, { model });
    await using opened = await open({ model, cacheDir: folder.path, localModelPath: folder.path });
    await opened.local.load();
    await expect
      .poll(() => opened.log.lines)
      .toContainEqual(expect.objectContaining({ level: 'warn', message: 'The downloaded model is not the published one.' }));
  });

  it.each(['../../etc', 'a/../../b', '/etc', 'http://host/model', '', 'a//b', '.', 'a b'])(
    'never point outside of their folder: %j',
    (model) => {
      expect(() =>
        createLocalEmbedder({
          model,
          dimensions: 384,
          cacheDir: 'cache',
          localModelPath: 'models',
          allowDownload: false,
          idleUnloadMs: 0,
          timeoutMs: 1_000,
          log: recordedLog(),
        }),
      ).toThrow(expect.objectContaining({ code: 'config' }));
    },
  );
});

describe('scheduling', () => {
  it('runs a query before queued documents', async () => {
    await using opened = await open();
    await opened.local.load();
    const finished: string[] = [];
    const documents = Array.from({ length: 400 }, (_, nth) => `document ${nth}`);
    const all = opened.local.embedDocuments(documents).then(() => finished.push('documents'));
    const query = opened.local.embedQuery('coffee').then(() => finished.push('query'));
    await Promise.all([all, query]);
    expect(finished).toEqual(['query', 'documents']);
  });

  it('does not delay a query behind many long texts', async () => {
    await using opened = await open();
    const done: string[] = [];
    const passages = Array.from({ length: 8 }, (_, nth) => `coffee ${nth} and the dog `.repeat(24));
    await Promise.all([
      opened.local.embedDocuments(passages).then(() => done.push('documents')),
      opened.local.embedQuery('tea').then(() => done.push('query')),
    ]);
    expect(done).toEqual(['query', 'documents']);
  });
});
