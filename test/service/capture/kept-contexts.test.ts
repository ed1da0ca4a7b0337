import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { openApp, type App } from '../../../src/app.ts';
import { contextLocation } from '../../../src/config/context-location.ts';
import { silentLog } from '../../../src/memory/log.ts';
import type { SaveRequest } from '../../../src/memory/operations/operations.ts';
import { testConfig } from '../../helpers/app.ts';
import { temporaryFolder } from '../../helpers/folder.ts';

/** A store in a folder, and what is kept of its contexts, by namespace. */
async function keeping({ background = false } = {}) {
  const folder = await temporaryFolder();
  const config = testConfig(folder.path);
  const open = (): Promise<App> => openApp(config, { log: silentLog, cwd: folder.path, background });
  const place = contextLocation(config.config.storage.path)!;
  return {
    /** Opens the store for one piece of work, and closes it. */
    work: async <T>(run: (app: App) => Promise<T>): Promise<T> => {
      await using app = await open();
      return await run(app);
    },
    texts: (): Record<string, string> =>
      Object.fromEntries(
        readdirSync(place.folder).map((name) => {
          const { namespace, text } = JSON.parse(readFileSync(path.join(place.folder, name), 'utf8')) as {
            namespace: string;
            text: string;
          };
          return [namespace, text];
        }),
      ),
    place,
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

const decision = (content: string, namespace: string): SaveRequest => ({ content, namespace, tags: ['decision'] });

it('are removed before a commit changes their entries; those of other projects stay', async () => {
  await using kept = await keeping();
  const saved = await kept.work(async ({ memories }) => {
    await memories.save(decision('Project two uses Postgres.', 'two'));
    return await memories.save(decision('Project one uses MySQL.', 'one'));
  });
  await kept.work(async ({ memories }) => {
    await memories.update(saved.entry.id, { content: 'Project one uses SQLite.' });
    expect(Object.keys(kept.texts())).toEqual(['two']);
    await memories.save(decision('Project two deploys on Mondays.', 'two'));
    // A new entry makes nothing wrong of what is there.
    expect(kept.texts()['two']).toContain('Postgres');
  });
  expect(kept.texts()['one']).toContain('SQLite');
  expect(kept.texts()['one']).not.toContain('MySQL');
  expect(kept.texts()['two']).toContain('Mondays');
});

it('are all removed before a global entry changes', async () => {
  await using kept = await keeping();
  const saved = await kept.work(async ({ memories }) => {
    const everywhere = await memories.save(decision('Answer in French.', 'global'));
    await memories.save(decision('Project one uses MySQL.', 'one'));
    return everywhere;
  });
  expect(kept.texts()['one']).toContain('French');
  await kept.work(async ({ memories }) => {
    await memories.forget(saved.entry.id);
    expect(kept.texts()).toEqual({});
  });
  expect(Object.keys(kept.texts())).toEqual(['one']);
  expect(kept.texts()['one']).not.toContain('French');
});

it('are updated soon after a turn, without another change', async () => {
  await using kept = await keeping({ background: true });
  await kept.work(async ({ memories }) => {
    const turn = async (session: string, text: string): Promise<void> => {
      const about = { client: 'codex', session, namespace: 'one' };
      await memories.capture.accept({ ...about, event: 'prompt', text });
      await memories.capture.accept({ ...about, event: 'response', text: 'Understood.' });
    };
    const text = (): string | undefined => kept.texts()['one'];
    await turn('first', 'Let us use Postgres for the orders, because the team knows it.');
    await expect.poll(text).toContain('Postgres');
    await turn('second', 'Actually, use CockroachDB instead of Postgres for the orders, since we need two regions.');
    await expect.poll(text).toContain('CockroachDB');
  });
});

it('follow a renamed namespace', async () => {
  await using kept = await keeping();
  await kept.work(({ memories }) => memories.save(decision('Project one uses MySQL.', 'one')));
  await kept.work(({ memories }) => memories.moves.rename({ from: 'one', to: 'first' }));
  expect(Object.keys(kept.texts())).toEqual(['first']);
});

it('are a limited number of small files', async () => {
  await using kept = await keeping();
  await kept.work(async ({ memories }) => {
    for (let nth = 0; nth < 70; nth++) await memories.save(decision(`Project ${nth} says ${'a long word '.repeat(300)}`, `project-${nth}`));
  });
  const names = readdirSync(kept.place.folder);
  expect(names).toHaveLength(64);
  for (const name of names) expect(statSync(path.join(kept.place.folder, name)).size).toBeLessThan(8192);
  expect(kept.texts()['project-69']).toBeDefined();
  expect(kept.texts()['project-0']).toBeUndefined();
});

it('are not stored for a store that other machines can change', () => {
  expect(contextLocation('s3://bucket/store')).toBeUndefined();
});
