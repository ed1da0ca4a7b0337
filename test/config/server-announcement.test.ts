import { spawnSync } from 'node:child_process';
import { utimesSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { announceServer, isServerAnnounced } from '../../src/config/server-announcement.ts';
import { temporaryFolder } from '../helpers/folder.ts';

it('a starting server is awaited from its announcement until it answers', async () => {
  await using store = await temporaryFolder();
  expect(isServerAnnounced(store.path)).toBe(false);
  const withdraw = announceServer(store.path);
  expect(isServerAnnounced(store.path)).toBe(true);
  withdraw();
  withdraw();
  expect(isServerAnnounced(store.path)).toBe(false);
  expect(await readdir(store.path)).toEqual([]);
});

it('a dead or very slow server is not awaited', async () => {
  await using store = await temporaryFolder();
  const file = path.join(store.path, 'lore.lock.soon');
  writeFileSync(file, String(spawnSync(process.execPath, ['--version']).pid));
  expect(isServerAnnounced(store.path)).toBe(false);
  announceServer(store.path);
  const before = Date.now() / 1000 - 60;
  utimesSync(file, before, before);
  expect(isServerAnnounced(store.path)).toBe(false);
});

it('nothing is announced if there is no store yet', () => {
  const nowhere = path.join(import.meta.dirname, 'no-such-store');
  announceServer(nowhere)();
  expect(isServerAnnounced(nowhere)).toBe(false);
});
