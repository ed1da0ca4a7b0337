import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { openTestApp, type TestApp } from '../helpers/app.ts';
import { startEmbeddingApi } from '../helpers/embedding-api.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { startModelHost } from '../helpers/model-host.ts';
import { recordedLog } from '../helpers/recorded-log.ts';
import { TINY_MODEL, writeTinyModel } from '../helpers/tiny-model.ts';

const POLL = { timeout: 60_000, interval: 50 };

async function pending(app: TestApp): Promise<number> {
  return (await app.memories.stats()).pendingVectors;
}

async function foundByWords(app: TestApp, query: string): Promise<string[]> {
  const { results } = await app.memories.recall({ query, limit: 10 });
  return results.map(({ entry }) => entry.content);
}

describe('a model process that is killed repeatedly', { timeout: 180_000 }, () => {
  it('loses no save, search or vector', async () => {
    await using models = await temporaryFolder();
    await writeTinyModel(models.path);
    const log = recordedLog();
    const flags = { 'embeddings.provider': 'local', 'embeddings.model': TINY_MODEL, 'embeddings.localModelPath': models.path };
    await using app = await openTestApp({ ...flags, 'embeddings.allowDownload': false, 'memory.deduplicationThreshold': 1 }, log);
    const over = new AbortController();
    const killed = new Set<number>();
    const killer = (async () => {
      let last: number | undefined;
      while (!over.signal.aborted) {
        const pid = log.lines.findLast(({ message }) => message === 'The model is loaded.')?.fields['pid'];
        if (typeof pid === 'number' && pid !== last && killed.size < 5) {
          last = pid;
          await sleep(30);
          try {
            process.kill(pid, 'SIGKILL');
            killed.add(pid);
          } catch {
            // It has ended by itself.
          }
        }
        await sleep(5);
      }
    })();
    const contents: string[] = [];
    const until = performance.now() + POLL.timeout;
    while (contents.length < 30 || (killed.size < 2 && performance.now() < until)) {
      const content = `coffee number ${contents.length} on the mat`;
      contents.push(content);
      expect((await app.memories.save({ content })).ids).toHaveLength(1);
    }
    expect(killed.size).toBeGreaterThan(1);
    expect((await foundByWords(app, 'coffee')).length).toBeGreaterThan(0);
    over.abort();
    await killer;
    expect((await app.memories.list({ limit: 100 })).total).toBe(contents.length);
    await expect.poll(() => pending(app), POLL).toBe(0);
  });
});

describe('a host that never answers', { timeout: 180_000 }, () => {
  it('delays no save or search, and vectors follow when it is back', async () => {
    await using api = await startEmbeddingApi();
    const flags = {
      'embeddings.provider': 'openai',
      'embeddings.apiKey': 'none',
      'embeddings.model': 'tiny',
      'embeddings.dimensions': 384,
    };
    await using app = await openTestApp({ ...flags, 'embeddings.baseUrl': api.url, 'embeddings.timeoutMs': 300 });
    await app.memories.save({ content: 'the first, while all is well' });
    let release = (): void => undefined;
    api.hold = new Promise((resolve) => {
      release = resolve;
    });
    const receipts = await Promise.all(['copper kettle', 'copper wire'].map((content) => app.memories.save({ content })));
    expect(receipts.map(({ outcomes }) => outcomes[0]?.vector)).toEqual(['pending', 'pending']);
    expect((await foundByWords(app, 'copper')).toSorted()).toEqual(['copper kettle', 'copper wire']);
    const { degraded } = await app.memories.health();
    expect(degraded).toContainEqual(expect.stringContaining('found by keyword only'));
    api.hold = undefined;
    release();
    await expect.poll(() => pending(app), POLL).toBe(0);
    expect((await app.memories.recall({ query: 'copper', searchMode: 'vector' })).results.length).toBeGreaterThan(0);
  });

  it('and never reads delays no save', async () => {
    const sockets = new Set<Socket>();
    const silent = createServer((socket) => {
      sockets.add(socket.on('error', () => undefined).pause());
    });
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    try {
      const baseUrl = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/v1`;
      const flags = {
        'embeddings.provider': 'openai',
        'embeddings.apiKey': 'none',
        'embeddings.model': 'tiny',
        'embeddings.dimensions': 384,
      };
      await using app = await openTestApp({ ...flags, 'embeddings.baseUrl': baseUrl, 'embeddings.timeoutMs': 300 });
      expect((await app.memories.save({ content: 'into the silence' })).outcomes[0]?.vector).toBe('pending');
      expect(await foundByWords(app, 'silence')).toEqual(['into the silence']);
    } finally {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => silent.close(resolve));
    }
  });

  it('with a model to download delays nothing: the builtin embedder is used, and closing does not wait', async () => {
    await using host = await startModelHost('hang');
    const flags = { 'embeddings.provider': 'local', 'embeddings.model': TINY_MODEL, 'embeddings.remoteHost': host.url };
    const app = await openTestApp(flags);
    try {
      expect((await app.memories.save({ content: 'tea in the meantime' })).ids).toHaveLength(1);
      expect(await foundByWords(app, 'tea')).toEqual(['tea in the meantime']);
    } finally {
      await app[Symbol.asyncDispose]();
    }
  });
});
