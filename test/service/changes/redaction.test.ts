import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { MAX_TAG_CHARS } from '../../../src/memory/entry.ts';
import { openTestApp, type TestApp } from '../../helpers/app.ts';

const TOKEN = `ghp_${'a1B2c3D4e5'.repeat(4)}`;
const PASSWORD = 'Tr0ub4dor-and-3';
const OTHER = `glpat-${'Zy9Xw8Vu7T'.repeat(2)}`;
const TEXT = `Clone with ${TOKEN}; password = ${PASSWORD}`;
const BLOTTED = 'Clone with [redacted: github-token]; password = [redacted: password]';

async function* lines(...entries: readonly unknown[]): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(Buffer.from(entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')));
}

/** Which of these words stand anywhere in the files of a store: journal, tables, indexes, what is being written. */
async function wordsIn(app: TestApp, words: readonly string[]): Promise<string[]> {
  const folder = app.config.config.storage.path;
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  const bytes = await Promise.all(files.map(({ parentPath, name }) => readFile(path.join(parentPath, name))));
  expect(bytes.length).toBeGreaterThan(0);
  return words.filter((word) => bytes.some((file) => file.includes(word)));
}

describe('memory.redactSecrets: always', () => {
  it('stores no secret, from any source', async () => {
    await using app = await openTestApp({ 'memory.redactSecrets': 'always' });
    const { memories } = app;
    const saved = await memories.save({ content: TEXT, tags: [OTHER, 'deploy'] });
    expect(saved.outcomes[0]?.redactions).toEqual(['github-token', 'password', 'gitlab-token']);
    expect(saved.outcomes[0]?.warnings).toBeUndefined();
    expect(saved.entry).toMatchObject({ content: BLOTTED, tags: ['[redacted: gitlab-token]', 'deploy'] });
    const changed = await memories.update(saved.entry.id, { content: `Now with ${TOKEN}`, tags: [OTHER] });
    expect(changed).toMatchObject({ content: 'Now with [redacted: github-token]', tags: ['[redacted: gitlab-token]'] });
    const report = await memories.import(
      lines(
        {
          content: `imported ${TEXT}`,
          tags: [OTHER],
          metadata: { sourceRef: { url: `https://bob:${PASSWORD}@x.example`, deep: [OTHER] } },
        },
        { content: 'nothing to hide' },
      ),
      {},
    );
    expect(report).toMatchObject({ stored: 2, redacted: 1 });
    const imported = (await memories.list({})).entries.find(({ content }) => content.startsWith('imported'));
    expect(imported).toMatchObject({
      content: `imported ${BLOTTED}`,
      sourceRef: { url: 'https://bob:[redacted: url-password]@x.example', deep: ['[redacted: gitlab-token]'] },
    });
    const words = [TOKEN, PASSWORD, OTHER, TOKEN.slice(4), 'Tr0ub4dor'];
    expect(await wordsIn(app, words)).toEqual([]);
    await app.close();
    expect(await wordsIn(app, words)).toEqual([]);
  });

  it('treats two texts that differ only in their secret as equal', async () => {
    await using app = await openTestApp({ 'memory.redactSecrets': 'always' });
    const first = await app.memories.save({ content: 'DB_PASSWORD=hunter2' });
    const second = await app.memories.save({ content: 'DB_PASSWORD=hunter3' });
    expect(second.ids).toEqual(first.ids);
    expect(second.outcomes[0]).toMatchObject({ status: 'duplicate', redactions: ['password'] });
  });

  it('does not reuse the vector of a redacted text, and keeps tags within their length', async () => {
    await using app = await openTestApp({ 'memory.redactSecrets': 'always' });
    await app.memories.save({ content: 'to know the name of the model' });
    const { embedder } = (await app.memories.stats()).vectors[0]!;
    const embedding = Array.from({ length: 384 }, (_, at) => (at === 0 ? 1 : 0));
    const tag = `${'x'.repeat(MAX_TAG_CHARS - 15)} pwd=hunter2`;
    const entry = { content: TEXT, embedding, embedder, tags: [tag] };
    const report = await app.memories.import(lines(entry, { ...entry, content: 'plain', tags: [] }), {});
    expect(report).toMatchObject({ stored: 2, redacted: 1, vectors: { kept: 1 } });
    const tags = (await app.memories.list({})).entries.flatMap((one) => one.tags);
    expect(tags).toEqual([expect.not.stringContaining('hunter2')]);
    expect(tags[0]!.length).toBeLessThanOrEqual(MAX_TAG_CHARS);
  });

  it('does not reuse the entities of a redacted text', async () => {
    await using app = await openTestApp({ 'memory.redactSecrets': 'always' });
    const entities = ['src/net/retry.ts', `${TOKEN.toLowerCase()}.txt`];
    await app.memories.import(
      lines({ content: `${TEXT} in src/net/retry.ts`, entities }, { content: 'plain', entities: ['src/ice.ts'] }),
      {},
    );
    const found = (await app.memories.list({ sort: 'createdAt' })).entries.map((one) => one.entities);
    expect(found).toEqual([['src/net/retry.ts'], ['src/ice.ts']]);
  });

  it('also redacts the auxiliary data of an export', async () => {
    await using plain = await openTestApp();
    const kept = await plain.memories.save({ content: `history of ${TOKEN}` });
    await plain.memories.update(kept.entry.id, { content: 'now without' });
    const exported: unknown[] = [];
    for await (const line of plain.memories.export({ all: true })) exported.push(line);
    expect(JSON.stringify(exported)).toContain(TOKEN);
    await using app = await openTestApp({ 'memory.redactSecrets': 'always' });
    await app.memories.import(lines(...exported), {});
    expect(await wordsIn(app, [TOKEN])).toEqual([]);
    expect(await wordsIn(app, ['history of'])).toEqual(['history of']);
  });
});

describe('memory.redactSecrets: machines', () => {
  it('is the default: text of agents and machines is redacted before it is stored', async () => {
    await using app = await openTestApp();
    for (const source of ['mcp', 'auto-capture', 'index', 'ingest'] as const) {
      const { entry, outcomes } = await app.memories.save({ content: `${source}: ${TEXT}`, tags: [OTHER] }, { source });
      expect(entry).toMatchObject({ content: `${source}: ${BLOTTED}`, tags: ['[redacted: gitlab-token]'] });
      expect(outcomes[0]).toMatchObject({ redactions: ['github-token', 'password', 'gitlab-token'] });
    }
    const { entry } = await app.memories.save({ content: 'a person wrote this' }, { source: 'cli' });
    const changed = await app.memories.update(entry.id, { content: TEXT, tags: [OTHER] }, { source: 'mcp' });
    expect(changed).toMatchObject({ content: BLOTTED, tags: ['[redacted: gitlab-token]'] });
    const tagged = await app.memories.bulk.tag({ ids: [entry.id], add: [`pwd=${PASSWORD}`] }, { source: 'mcp' });
    expect(tagged.changed).toMatchObject([{ added: ['pwd=[redacted: password]'] }]);
    await app.close();
    expect(await wordsIn(app, [TOKEN, PASSWORD, OTHER])).toEqual([]);
  });

  it('stores what a person saves unchanged, with a warning', async () => {
    await using app = await openTestApp();
    for (const source of ['cli', 'web', 'api'] as const) {
      const saved = await app.memories.save({ content: `${source}: ${TEXT}` }, { source });
      expect(saved.entry.content).toBe(`${source}: ${TEXT}`);
      expect(saved.outcomes[0]?.redactions).toBeUndefined();
      expect(saved.outcomes[0]?.warnings).toEqual([expect.stringContaining('(github-token, password)')]);
    }
    expect(await wordsIn(app, [TOKEN])).toEqual([TOKEN]);
    expect((await app.memories.save({ content: 'nothing to hide' })).outcomes[0]?.warnings).toBeUndefined();
  });

  it('is the meaning of `capture` in older settings', async () => {
    await using app = await openTestApp({ 'memory.redactSecrets': 'capture' });
    expect(app.config.config.memory.redactSecrets).toBe('machines');
    expect((await app.memories.save({ content: TEXT }, { source: 'mcp' })).entry.content).toBe(BLOTTED);
  });

  it('also redacts changes of machine entries and such import lines, and counts other entries with secrets', async () => {
    await using app = await openTestApp();
    const { entry } = await app.memories.save({ content: 'captured' }, { source: 'auto-capture' });
    expect((await app.memories.update(entry.id, { content: TEXT })).content).toBe(BLOTTED);
    const report = await app.memories.import(lines({ content: `one ${TEXT}`, source: 'auto-capture' }, { content: `two ${TEXT}` }), {});
    expect(report).toMatchObject({ stored: 2, redacted: 1, withSecrets: 1 });
    const contents = (await app.memories.list({ sort: 'createdAt' })).entries.map(({ content }) => content);
    expect(contents).toEqual([BLOTTED, `one ${BLOTTED}`, `two ${TEXT}`]);
  });
});

describe('memory.redactSecrets: never', () => {
  it('stores everything unchanged without a warning', async () => {
    await using app = await openTestApp({ 'memory.redactSecrets': 'never' });
    const captured = await app.memories.save({ content: TEXT }, { source: 'auto-capture' });
    expect(captured.entry.content).toBe(TEXT);
    expect(Object.keys(captured.outcomes[0]!)).toEqual(['id', 'status', 'vector', 'passages']);
    expect(await wordsIn(app, [TOKEN, PASSWORD])).toEqual([TOKEN, PASSWORD]);
  });
});
