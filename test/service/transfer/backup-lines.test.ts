import { describe, expect, it } from 'vitest';
import { openApp, type App } from '../../../src/app.ts';
import { silentLog } from '../../../src/memory/log.ts';
import type { ExportLine } from '../../../src/memory/operations/operations.ts';
import { openTestApp, testConfig } from '../../helpers/app.ts';
import { temporaryFolder } from '../../helpers/folder.ts';

const SECRET = 'the token is ghp_0123456789abcdefghijABCDEFGHIJ012345';
const KEPT = { content: SECRET, metadata: { namespace: 'test', source: 'mcp' } };

async function linesOf({ memories }: App): Promise<ExportLine[]> {
  const lines: ExportLine[] = [];
  for await (const line of memories.export({ vectors: true })) lines.push(line);
  return lines;
}

async function* textOf(lines: readonly unknown[]): AsyncGenerator<Uint8Array> {
  for (const line of lines) yield Buffer.from(`${JSON.stringify(line)}\n`);
}

describe('a full export', () => {
  it('includes an entry restored during the export, with its relations', async () => {
    await using app = await openTestApp();
    const { memories } = app;
    const ids = (await Promise.all(['crane one', 'crane two', 'ferry'].map((content) => memories.save({ content })))).map(
      ({ ids: [id] }) => id!,
    );
    await memories.relations.relate({ sourceId: ids[0]!, targetId: ids[2]!, type: 'references' });
    const { token } = await memories.lifecycle.forgetMany({ ids: [ids[0]!] });
    await memories.lifecycle.forgetMany({ ids: [ids[0]!], confirm: token! });
    const lines: ExportLine[] = [];
    for await (const line of memories.export({ all: true })) {
      // The entries are chosen by now.
      if (lines.length === 0) await memories.lifecycle.restore({ ids: [ids[0]!] });
      lines.push(line);
    }
    const contents = lines.flatMap((line) => ('content' in line ? [line.content] : []));
    expect(contents.toSorted()).toEqual(['crane one', 'crane two', 'ferry']);
    expect(lines.some((line) => 'archived' in line)).toBe(false);
    expect(lines).toContainEqual({
      relation: expect.objectContaining({ sourceId: ids[0], targetId: ids[2], type: 'references' }) as unknown,
    });
  });
});

describe('backup lines', () => {
  it('are imported unchanged: secrets, long lines and relations', async () => {
    await using folder = await temporaryFolder();
    const config = testConfig(folder.path, { 'server.bodyLimitBytes': 1024 });
    const near = ['The ferry to the island leaves the harbour at noon', 'The ferry to the island leaves the harbour at one'];
    const lines = [KEPT, { content: 'long '.repeat(400) }, ...near.map((content) => ({ content }))];
    const taken = async (options: { readonly asTheyAre?: boolean }): Promise<string[]> => {
      await using app = await openApp(config, { log: silentLog, background: false });
      await app.memories.import(textOf(lines), {}, options);
      return (await app.memories.list({ allNamespaces: true })).entries.map(({ content }) => content);
    };
    const imported = await taken({});
    expect(imported).toHaveLength(3);
    expect(imported).not.toContain(SECRET);
    const restored = await taken({ asTheyAre: true });
    expect(restored).toContain(SECRET);
    expect(restored).toHaveLength(5);
  });

  it('include permanent deletions, which other lines cannot', async () => {
    await using app = await openTestApp();
    const { memories } = app;
    const { ids } = await memories.save({ content: 'kept' });
    const deleted = { id: '01a2191e-47dc-7659-81f2-b05e9c7783b3', namespace: 'test', at: Date.now() };
    const digests = async () => (await memories.sync.digests({ namespace: 'test', buckets: 1 })).tombstones;
    const before = await digests();
    const lines = textOf([{ tombstone: deleted }, { tombstone: { ...deleted, id: ids[0] } }]);
    expect(await memories.import(lines, {})).toMatchObject({ lines: 0, invalid: 0 });
    expect(await digests()).toEqual(before);
    expect((await memories.get(ids[0]!)).content).toBe('kept');
    await memories.import(textOf([{ tombstone: deleted }]), {}, { asTheyAre: true });
    expect(await digests()).not.toEqual(before);
  });

  it('may have a vector as base64, which is the same vector', async () => {
    await using from = await openTestApp();
    await using to = await openTestApp();
    await from.memories.save({ content: 'The ferry leaves at noon' });
    const [header, line] = await linesOf(from);
    if (line === undefined || !('content' in line)) throw new Error('there is no entry');
    const packed = { ...line, embedding: Buffer.from(Float32Array.from(line.embedding!).buffer).toString('base64') };
    expect(await to.memories.import(textOf([header, packed]), {})).toMatchObject({ stored: 1, vectors: { kept: 1, remade: 0 } });
    expect((await linesOf(to))[1]).toEqual(line);
    const broken = { ...packed, content: 'another', embedding: 'no base64!' };
    expect(await to.memories.import(textOf([broken]), {})).toMatchObject({ invalid: 1 });
  });
});
