// What happens to a server now and then, beside its everyday traffic.
import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { childrenOf } from './samples.mjs';
import { listen } from './traffic.mjs';

const LISTENERS = 8;
const LINES = 300;
const KEPT_BACKUPS = 2;

/** What happens, and every how many seconds. */
export function happeningsOf(servers, traffic) {
  const now = () => servers.current();
  let listening = 0;
  const listenAWhile = () =>
    listen(now().url, 2000 + Math.random() * 20_000).catch((error) => {
      if (!servers.isLeaving) throw error;
    });
  const happenings = {
    'event stream': [
      3,
      async () => {
        if (listening >= LISTENERS) return;
        listening += 1;
        await listenAWhile().finally(() => (listening -= 1));
      },
    ],
    'import and merge': [
      40,
      () =>
        traffic.pause(async () => {
          await traffic.import(LINES);
          await traffic.rest();
        }),
    ],
    'model killed': [60, () => killModel(now())],
    'compact and restore': [70, () => traffic.pause(() => compactAndRestore(traffic))],
    export: [50, () => traffic.during(() => now().send('GET', '/api/export?all=true'))],
    backup: [100, () => traffic.during(() => backUp(traffic, servers.backups))],
  };
  return Object.entries(happenings).map(([name, [every, work]]) => ({ name, every, work }));
}

/** Ends the process of the model, if there is one. The next text starts another. */
function killModel({ pid }) {
  for (const child of childrenOf(pid)) process.kill(child, 'SIGKILL');
}

async function compactAndRestore({ json }) {
  const { run, archived } = await json('POST', '/api/compact', {});
  if (archived > 0) await json('POST', '/api/restore', { run });
}

/** Backups that a person asked for stay until that person removes them. */
async function backUp({ json }, folder) {
  await json('POST', '/api/backups', {});
  const { backups } = await json('GET', '/api/backups');
  const kept = new Set(backups.slice(0, KEPT_BACKUPS).map(({ name }) => name));
  for (const { name } of backups) if (!kept.has(name)) remove(folder, name);
}

function remove(folder, name) {
  const files = readdirSync(folder).filter((file) => file.startsWith(name));
  for (const file of files) rmSync(path.join(folder, file), { recursive: true, force: true });
}
