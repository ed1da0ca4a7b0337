import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { chooseEmbedder, type ChooseOptions, type EmbeddingOptions } from '../../src/embeddings/choose.ts';
import type { Embedder, ConfiguredEmbedder } from '../../src/embeddings/embedder.ts';
import { noStatistics } from '../../src/memory/words/word-statistics.ts';
import { startEmbeddingApi } from '../helpers/embedding-api.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { deadAddress, startModelHost } from '../helpers/model-host.ts';
import { recordedLog, type RecordedLog } from '../helpers/recorded-log.ts';
import { MODEL_FILE, TINY_MODEL, tinyModelFiles, writeTinyModel } from '../helpers/tiny-model.ts';

const DIST = new URL('../../dist/embeddings/choose.js', import.meta.url).href;
const PATIENCE = { timeout: 20_000 };

interface Opened extends AsyncDisposable {
  readonly choice: ConfiguredEmbedder;
  readonly log: RecordedLog;
  readonly models: string;
  /** Providers that became active, in order. */
  readonly changes: Embedder['provider'][];
}

function settings(folder: string, more: Partial<EmbeddingOptions> = {}): EmbeddingOptions {
  return {
    provider: 'local',
    model: TINY_MODEL,
    dimensions: 384,
    batchSize: 100,
    cacheDir: folder,
    localModelPath: folder,
    allowDownload: false,
    idleUnloadMs: 0,
    timeoutMs: 20_000,
    queueLimit: 10_000,
    maxConcurrent: 8,
    ...more,
  };
}

interface OpenOptions extends Partial<Omit<ChooseOptions, 'config'>> {
  readonly config?: Partial<EmbeddingOptions>;
  /** Whether the tiny model is there from the start. */
  readonly present?: boolean;
  readonly prepare?: (folder: string) => Promise<void>;
}

async function open({ config, present = false, prepare, ...options }: OpenOptions): Promise<Opened> {
  const folder = await temporaryFolder();
  if (present) await writeTinyModel(folder.path);
  await prepare?.(folder.path);
  const log = recordedLog();
  const choice = chooseEmbedder({ config: settings(folder.path, config), statistics: noStatistics, log, retryMs: 50, ...options });
  const changes: Embedder['provider'][] = [];
  choice.onChange(({ provider }) => changes.push(provider));
  return {
    choice,
    log,
    models: folder.path,
    changes,
    async [Symbol.asyncDispose]() {
      await choice.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

describe('a provider that is always available', () => {
  it('serves at once: builtin', async () => {
    await using opened = await open({ config: { provider: 'builtin' } });
    const { choice } = opened;
    expect(choice.active).toBe(choice.builtin);
    expect(choice.degraded()).toBeUndefined();
    expect(choice.report()).toEqual({ provider: 'builtin', model: 'hashed-words', dimensions: 384, state: 'ready' });
  });

  it.each(['openai', 'gemini'] as const)('serves at once: %s', async (provider) => {
    await using api = await startEmbeddingApi();
    await using opened = await open({ config: { provider, model: 'tiny', apiKey: 'test-key', baseUrl: api.url } });
    const { choice } = opened;
    expect(choice.active.provider).toBe(provider);
    expect(choice.configured).toBe(provider);
    await Promise.all([choice.active.embedQuery('tea'), choice.active.embedQuery('tea')]);
    expect(api.requests).toHaveLength(1);
    expect(choice.report()).toEqual({ provider, model: 'tiny', dimensions: 384, state: 'ready' });
  });

  it.each(['openai', 'gemini'] as const)('is refused without a key: %s', (provider) => {
    const config = settings('models', { provider });
    expect(() => chooseEmbedder({ config, statistics: noStatistics, log: recordedLog() })).toThrow(
      expect.objectContaining({ code: 'config' }),
    );
  });
});

describe('the local model', () => {
  it('is used from the start if its files exist, and is loaded in advance', async () => {
    await using opened = await open({ present: true });
    const { choice } = opened;
    expect(choice.active.provider).toBe('local');
    expect(choice.degraded()).toBeUndefined();
    await vi.waitFor(
      () => expect(choice.report()).toEqual({ provider: 'local', model: TINY_MODEL, dimensions: 384, state: 'ready' }),
      PATIENCE,
    );
    expect(await choice.active.embedQuery('tea')).toHaveLength(384);
    expect(opened.changes).toEqual([]);
  });

  it('waits for the first text in a short command', async () => {
    await using opened = await open({ present: true, background: false });
    expect(opened.choice.report().state).toBe('idle');
    expect(await opened.choice.active.embedQuery('tea')).toHaveLength(384);
    expect(opened.choice.report().state).toBe('ready');
  });

  it('is not downloaded by a short command', async () => {
    await using host = await startModelHost();
    await using opened = await open({ config: { allowDownload: true, remoteHost: host.url }, background: false });
    expect(opened.choice.active.provider).toBe('builtin');
    expect(opened.choice.degraded()).toBe(`The model ${TINY_MODEL} is not on this machine; the builtin embedder stands in.`);
    await opened.choice.active.embedQuery('tea');
    expect(host.requests).toEqual([]);
  });

  it('is replaced by the builtin one until its host is reachable', async () => {
    const { url, port } = await deadAddress();
    await using opened = await open({ config: { allowDownload: true, remoteHost: url } });
    const { choice, changes } = opened;
    expect(choice.active).toBe(choice.builtin);
    expect(choice.configured).toBe('local');
    const reason = `The model ${TINY_MODEL} could not be downloaded: the host does not accept connections`;
    await vi.waitFor(() => expect(choice.degraded()).toBe(`${reason}; the builtin embedder stands in, and Lore keeps trying.`), PATIENCE);
    expect(choice.report()).toMatchObject({ provider: 'builtin', dimensions: 384, standsInFor: 'local' });
    expect(await choice.active.embedQuery('tea')).toHaveLength(384);

    await using _host = await startModelHost('serve', { port });
    await vi.waitFor(() => expect(changes).toEqual(['local']), PATIENCE);
    expect(choice.active.provider).toBe('local');
    expect(choice.degraded()).toBeUndefined();
    expect(choice.report()).toEqual({ provider: 'local', model: TINY_MODEL, dimensions: 384, state: 'ready' });
    expect(await choice.active.embedDocuments(['tea'])).toHaveLength(1);
    expect(opened.log.lines.filter(({ message }) => message.startsWith(reason))).toHaveLength(1);
  });

  it('reports the progress of its download', async () => {
    await using host = await startModelHost('hang');
    await using opened = await open({ config: { allowDownload: true, remoteHost: host.url } });
    const { choice } = opened;
    await vi.waitFor(
      () =>
        expect(choice.report()).toMatchObject({ provider: 'builtin', state: 'downloading', progress: expect.closeTo(0.5, 2) as unknown }),
      PATIENCE,
    );
    expect(choice.degraded()).toBe(`The model ${TINY_MODEL} is being downloaded; the builtin embedder stands in.`);
  });

  it('is found when its files are copied in', async () => {
    await using opened = await open({});
    const { choice } = opened;
    await vi.waitFor(() => expect(choice.degraded()).toContain('downloading is switched off'), PATIENCE);
    await writeTinyModel(opened.models);
    await vi.waitFor(() => expect(choice.active.provider).toBe('local'), PATIENCE);
  });

  it('is replaced by the builtin one while its files are damaged', async () => {
    const prepare = (folder: string): Promise<void> => writeFile(join(folder, TINY_MODEL, MODEL_FILE), 'not a model');
    await using opened = await open({ present: true, prepare });
    const { choice, changes } = opened;
    expect(choice.active.provider).toBe('local');
    await vi.waitFor(() => expect(changes).toEqual(['builtin']), PATIENCE);
    expect(choice.degraded()).toContain('are damaged');
    expect(await choice.active.embedQuery('tea')).toHaveLength(384);
    await writeFile(join(opened.models, TINY_MODEL, MODEL_FILE), tinyModelFiles().get(MODEL_FILE) ?? '');
    await vi.waitFor(() => expect(changes).toEqual(['builtin', 'local']), PATIENCE);
  });

  it('is given up if its vectors have another width than configured', async () => {
    await using opened = await open({ present: true, config: { dimensions: 768 } });
    const { choice } = opened;
    await vi.waitFor(() => expect(choice.active.provider).toBe('builtin'), PATIENCE);
    expect(choice.degraded()).toBe(
      `The model ${TINY_MODEL} makes vectors of 384 numbers; 768 are configured; the builtin embedder stands in.`,
    );
  });

  it('changes nothing after it was closed, even twice', async () => {
    const { url, port } = await deadAddress();
    await using opened = await open({ config: { allowDownload: true, remoteHost: url } });
    await vi.waitFor(() => expect(opened.choice.degraded()).toContain('does not accept'), PATIENCE);
    await opened.choice.close();
    await opened.choice.close();
    await using host = await startModelHost('serve', { port });
    await expect(opened.choice.active.embedQuery('tea')).rejects.toMatchObject({ message: 'The embedder builtin is closed.' });
    expect(host.requests).toEqual([]);
    expect(opened.changes).toEqual([]);
  });

  it('is not reported to a removed listener', async () => {
    await using opened = await open({});
    const heard: string[] = [];
    const stop = opened.choice.onChange(({ provider }) => heard.push(provider));
    stop();
    await writeTinyModel(opened.models);
    await vi.waitFor(() => expect(opened.changes).toEqual(['local']), PATIENCE);
    expect(heard).toEqual([]);
  });

  it('never keeps the process alive', async () => {
    await using host = await startModelHost('hang');
    await using folder = await temporaryFolder();
    const config = settings(folder.path, { allowDownload: true, remoteHost: host.url });
    const script = `
      import { chooseEmbedder } from ${JSON.stringify(DIST)};
      const log = { debug() {}, info() {}, warn() {}, error() {} };
      chooseEmbedder({ config: ${JSON.stringify(config)}, statistics: { rows: 0, documentFrequency: () => 0 }, log });
      setTimeout(() => {}, 500);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'inherit', 'inherit'] });
    expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(0);
  });
});
