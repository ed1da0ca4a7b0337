/**
 * A process that works on a store in every way, whatever fails, and says of each change whether it was acknowledged: one JSON line each in
 * `said.jsonl` of the folder.
 * Usage: node working-process.mjs <folder>
 */
import { appendFileSync } from 'node:fs';

process.env.LANCE_CPU_THREADS ??= '8';
process.env.LANCEDB_LOG ??= 'error';
const { openApp } = await import('../../dist/app.js');
const { loadConfig } = await import('../../dist/config/load.js');

const [folder] = process.argv.slice(2);
// Not on standard output: a pipe that nobody reads fast enough refuses.
const say = (line) => appendFileSync(`${folder}/said.jsonl`, `${JSON.stringify(line)}\n`);
const quiet = { debug() {}, info() {}, warn() {}, error() {} };
process.on('unhandledRejection', (error) => say({ unhandled: String(error) }));

/** What was thrown, in the terms that a client would see. */
const faultOf = (error) => ({ fault: { code: error?.code ?? 'none', name: error?.name, message: String(error?.message) } });

async function attempt(what, work) {
  try {
    say({ ...what, done: (await work()) ?? true });
    return true;
  } catch (error) {
    say({ ...what, ...faultOf(error) });
    return false;
  }
}

const config = loadConfig({
  cwd: folder,
  env: {},
  directories: { data: folder, config: folder },
  flags: { 'embeddings.provider': 'builtin', 'memory.namespace': 'faults', 'storage.path': `${folder}/store` },
});
let app;
if (
  !(await attempt({ op: 'open' }, async () => {
    app = await openApp(config, { log: quiet, cwd: folder, background: false });
  }))
)
  process.exit(0);
const { memories } = app;
const { entries } = await memories.list({ allNamespaces: true, limit: 100 });
const ids = entries.map(({ id }) => id);

for (let n = 0; n < 6; n += 1) {
  const content = `made ${n} in this process`;
  await attempt({ op: 'save', content }, async () => {
    const { ids: made } = await memories.save({ content });
    return made[0];
  });
}
for (const id of ids.slice(0, 3)) {
  const content = `changed ${id}`;
  await attempt({ op: 'update', id, content }, async () => void (await memories.update(id, { content })));
}
for (const id of ids.slice(3, 5)) await attempt({ op: 'remove', id }, async () => void (await memories.forget(id)));
await attempt({ op: 'compact' }, async () => void (await memories.lifecycle.compact({})));
const lines = Array.from({ length: 1100 }, (_, n) => `${JSON.stringify({ content: `line ${n} of an import` })}\n`);
// More than may wait for the table: closing writes it.
await attempt({ op: 'import' }, async () => {
  const onLine = ({ status, ids: made }) => say({ op: 'line', status, id: made?.[0] });
  return (await memories.import([Buffer.from(lines.join(''))], {}, { onLine })).stored;
});
await attempt({ op: 'backup' }, async () => void (await memories.backups.create()));
await attempt({ op: 'recall' }, async () => (await memories.recall({ query: 'made', limit: 5 })).results.length);
await attempt({ op: 'close' }, () => app.close().then(() => undefined));
say({ end: true });
