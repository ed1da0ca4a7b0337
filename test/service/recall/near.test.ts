import { describe, expect, it } from 'vitest';
import { restrictTo } from '../../../src/service/limits.ts';
import { createHttpClient } from '../../../src/client/http-client.ts';
import { openTestApp } from '../../helpers/app.ts';
import { startTestServer } from '../../helpers/server.ts';

const TEXT = 'The night ferry to the outer islands leaves from quay nine at half past ten, and never on Sundays.';

describe('entries near to an unsaved text', () => {
  it('equal those of the receipt, without storing or counting', async () => {
    await using app = await openTestApp();
    const { ids } = await app.memories.save({ content: TEXT });
    await app.memories.save({ content: 'Tabs are two spaces wide' });
    await app.memories.save({ content: TEXT, namespace: 'elsewhere' });
    const content = `${TEXT} Bring a coat.`;
    const near = await app.memories.details.near({ content });
    const { outcomes } = await app.memories.save({ content, near: true });
    expect(near).toMatchObject({ threshold: 0.92 });
    expect(near.results.map(({ entry, score }) => ({ id: entry.id, similarity: score }))).toEqual(outcomes[0]?.near);
    expect(near.results.map(({ entry }) => entry.id)).toEqual(ids);
    expect(await app.memories.get(ids[0]!)).not.toHaveProperty('recalls');
  });

  it('are from the given or the global namespace, without superseded ones', async () => {
    await using app = await openTestApp();
    const { details, relations } = app.memories;
    const [older] = (await app.memories.save({ content: TEXT, global: true })).ids as [string];
    const [newer] = (await app.memories.save({ content: `${TEXT} Mostly.`, global: true })).ids as [string];
    expect((await details.near({ content: TEXT })).results).toEqual([]);
    expect((await details.near({ content: TEXT, global: true })).results.map(({ entry }) => entry.id)).toEqual([older, newer]);
    await relations.relate({ sourceId: newer, targetId: older, type: 'supersedes' });
    expect((await details.near({ content: TEXT, namespace: 'global' })).results.map(({ entry }) => entry.id)).toEqual([newer]);
    const { outcomes } = await app.memories.save({ content: `${TEXT} Mostly!`, global: true, near: true });
    expect(outcomes[0]?.near?.map(({ id }) => id)).toEqual([newer]);
    await expect(details.near({ content: TEXT, namespace: 'x', global: true })).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('are found behind any number of superseded entries', async () => {
    await using app = await openTestApp();
    const ids: string[] = [];
    for (let nth = 0; nth < 22; nth += 1) ids.push((await app.memories.save({ content: `${TEXT}${'!'.repeat(nth)}` })).entry.id);
    const current = (await app.memories.save({ content: `${TEXT} Bring a coat.` })).entry.id;
    for (const targetId of ids) await app.memories.relations.relate({ sourceId: current, targetId, type: 'supersedes' });
    expect((await app.memories.details.near({ content: TEXT })).results.map(({ entry }) => entry.id)).toEqual([current]);
  });

  it('are hidden from a key of another namespace', async () => {
    await using app = await openTestApp();
    await app.memories.save({ content: TEXT, namespace: 'theirs' });
    const { details } = restrictTo(app.memories, { name: 'bound', access: 'read', namespace: 'mine' });
    expect((await details.near({ content: TEXT })).results).toEqual([]);
    await expect(details.near({ content: TEXT, namespace: 'theirs' })).rejects.toMatchObject({ code: 'forbidden' });
    await expect(details.near({ content: TEXT, global: true })).rejects.toMatchObject({ code: 'forbidden' });
  });

  it('are the same over HTTP', async () => {
    await using server = await startTestServer({ server: { responseForm: 'guide' } });
    const client = createHttpClient({ baseUrl: server.url });
    await server.save(TEXT);
    const there = await client.details.near({ content: `${TEXT} Bring a coat.` });
    const here = await server.app.memories.details.near({ content: `${TEXT} Bring a coat.` });
    expect(there.results.map(({ entry, score }) => [entry.id, score])).toEqual(here.results.map(({ entry, score }) => [entry.id, score]));
    expect(there).toMatchObject({ threshold: 0.92 });
    await client.close();
  });
});
