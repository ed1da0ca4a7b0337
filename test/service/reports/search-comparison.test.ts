import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Diagnosis } from '../../../src/memory/operations/operations.ts';
import { probeQuery } from '../../../src/service/reports/probe-queries.ts';
import { openTestApp, type TestApp } from '../../helpers/app.ts';
import { startEmbeddingApi } from '../../helpers/embedding-api.ts';

const contents = readFileSync(new URL('../../eval/data/memories.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .slice(0, 120)
  .map((line) => (JSON.parse(line) as { content: string }).content);

async function fill(app: TestApp, texts: readonly string[]): Promise<void> {
  async function* lines(): AsyncGenerator<Uint8Array> {
    yield await Promise.resolve(Buffer.from(texts.map((content) => JSON.stringify({ content })).join('\n')));
  }
  await app.memories.import(lines(), {});
}

/** Vectors that say nothing of the text: where an entry lies has nothing to do with where the searches for it look. */
function misleading(text: string): Float32Array {
  let state = Buffer.from(text).reduce((sum, byte) => (Math.imul(sum, 31) + byte) >>> 0, 7);
  return Float32Array.from({ length: 384 }, () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32);
}

const search = async (app: TestApp, probes = 60): Promise<Diagnosis['search']> => (await app.memories.diagnose({ probes })).search;

describe('hybrid search compared with keyword search on stored entries', () => {
  it('is reported with a remedy if a model misleads it, unless it is not the default', async () => {
    await using api = await startEmbeddingApi();
    api.embed = misleading;
    const hosted = {
      'embeddings.provider': 'openai',
      'embeddings.baseUrl': api.url,
      'embeddings.model': 'm',
      'embeddings.dimensions': 384,
      'search.vectorWeight': 1,
      'search.keywordWeight': 0,
    };
    await using app = await openTestApp(hosted);
    await fill(app, contents);
    const found = await search(app);
    expect(found.probes).toBeGreaterThan(30);
    expect(found.worse).toBeGreaterThan(found.better);
    expect(found.hybrid.meanReciprocalRank).toBeLessThan(found.keyword.meanReciprocalRank);
    expect(found.finding).toEqual({
      problem: expect.stringMatching(/^Hybrid search loses to words alone .* it finds \d+ first, keyword search \d+\.$/),
      fix: expect.stringContaining('search.keywordWeight'),
    });
    expect(JSON.stringify(found)).not.toContain(contents[0]!.slice(0, 20));
    await using other = await openTestApp({ ...hosted, 'search.defaultMode': 'keyword' });
    await fill(other, contents);
    expect(await search(other)).not.toHaveProperty('finding');
  });

  it('is as good with the builtin embedder, and does not count as use', async () => {
    await using app = await openTestApp();
    await fill(app, contents);
    const found = await search(app);
    expect(found).not.toHaveProperty('finding');
    expect(found.keyword.first).toBeGreaterThan(0.8);
    expect(found.hybrid.meanReciprocalRank).toBeGreaterThan(found.keyword.meanReciprocalRank - 0.02);
    const { entries } = await app.memories.list({ limit: 100 });
    expect(entries.filter((entry) => 'recalls' in entry)).toEqual([]);
  });

  it('is not compared in an empty store, with short entries, or without vectors', async () => {
    await using app = await openTestApp();
    const none = { first: 0, firstFive: 0, meanReciprocalRank: 0 };
    expect(await search(app)).toEqual({ probes: 0, keyword: none, hybrid: none, better: 0, worse: 0 });
    await fill(app, ['Ana prefers tabs', 'Port 4101', '🚀']);
    expect(await search(app)).toMatchObject({ probes: 0 });
    await fill(app, contents.slice(0, 3));
    expect(await search(app)).toMatchObject({ probes: expect.any(Number) as unknown });
  });

  it('supports scripts without blanks', async () => {
    await using app = await openTestApp();
    await fill(app, [
      '本番環境のデータベースは毎晩二時にバックアップされ三十日間別の地域の倉庫に保存される。',
      '部署流水线在每次合并到主分支之后自动构建镜像并且把结果推送到内部仓库等待审批。',
      '배포 파이프라인은 메인 브랜치에 병합될 때마다 이미지를 자동으로 빌드하고 결과를 내부 저장소에 올린 다음 승인을 기다린다.',
    ]);
    const { probes, keyword } = await search(app);
    expect(probes).toBe(3);
    expect(keyword.firstFive).toBe(1);
  });
});

describe('a probe query', () => {
  it('has three content words of the longest sentence, deterministically', () => {
    const text = 'Short one. The billing worker listens on port 8421 inside the staging cluster and retries failed webhooks twice.';
    const words = probeQuery(text)!.split(' ');
    expect(words).toHaveLength(3);
    for (const word of words) expect(text).toContain(word);
    expect(probeQuery(text)).toBe(words.join(' '));
    expect(probeQuery('Ana prefers tabs over spaces.')).toBeUndefined();
    expect(probeQuery('')).toBeUndefined();
    expect(probeQuery('the and of '.repeat(1000))).toBeUndefined();
  });
});
