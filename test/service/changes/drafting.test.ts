import { describe, expect, it } from 'vitest';
import type { Embedder } from '../../../src/embeddings/embedder.ts';
import { silentLog } from '../../../src/memory/log.ts';
import { draftEntry, Drafting } from '../../../src/service/changes/drafting.ts';

const entry = draftEntry({
  id: '01975a3e-8a51-7c3e-9a53-0f6d2b8c4e11',
  content: 'the walrus sleeps',
  namespace: 'test',
  container: 'test',
  tags: [],
  priority: 'normal',
  source: 'cli',
  createdAt: 1,
  updatedAt: 1,
});

function draftingBy(embedDocuments: Embedder['embedDocuments']): { drafting: Drafting; told: () => number } {
  let calls = 0;
  const embedder = { fingerprint: 'test/model/2/1', embedDocuments } as Embedder;
  const settings = { chunkSize: 1000, chunkOverlap: 0, fileChunkSize: 1500 };
  const drafting = new Drafting({ embedder: () => embedder, settings, log: silentLog, onPending: () => (calls += 1) });
  return { drafting, told: () => calls };
}

describe('rows', () => {
  it('of a failing model are made without vectors and reported as pending', async () => {
    const { drafting, told } = draftingBy(() => Promise.reject(new Error('no model')));
    expect(await drafting.rows([entry, entry])).toMatchObject([
      { entry, vectors: undefined },
      { entry, vectors: undefined },
    ]);
    expect(told()).toBe(1);
  });

  it('of a working model, and of a cancelled caller, affect no other', async () => {
    const answering = draftingBy(() => Promise.resolve([new Float32Array([1, 0])]));
    expect((await answering.drafting.rows([entry]))[0]?.vectors?.first).toEqual(new Float32Array([1, 0]));
    const failing = draftingBy(() => Promise.reject(new Error('no model')));
    await expect(failing.drafting.rows([entry], AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' });
    expect([answering.told(), failing.told()]).toEqual([0, 0]);
  });
});
