/**
 * A server as far as the log goes: appends its batches, each until it counts, keeps the lease where it gets it, and says what it does, one JSON line each.
 * Usage: node appending-process.mjs <uri> <storage options as JSON> <name> <batches> <lease, ms>
 */
process.env.LANCE_CPU_THREADS ??= '8';
process.env.LANCEDB_LOG ??= 'error';
const { once } = await import('node:events');
const { writeSync } = await import('node:fs');
const { connect } = await import('@lancedb/lancedb');
const { LeaseKeeper } = await import('../../dist/store/wal/shared/lease.js');
const { SharedLog } = await import('../../dist/store/wal/shared/shared-log.js');

const [uri, storageOptions, name, batches, leaseMs] = process.argv.slice(2);
const say = (line) => writeSync(1, `${JSON.stringify(line)}\n`);
const quiet = { debug() {}, info() {}, warn() {}, error() {} };
const LOOK_MS = 20;

const shared = await SharedLog.open({
  connect: () => connect(uri, { storageOptions: JSON.parse(storageOptions) }),
  server: name,
  timeoutMs: 30_000,
  leaseMs: Number(leaseMs),
  log: quiet,
  onEvent() {},
});
say({ ready: shared.server });

setInterval(() => {
  if (shared.isHolder) say({ holdsTerm: shared.holder.term });
}, LOOK_MS);

const keeper = new LeaseKeeper({ shared, leaseMs: Number(leaseMs), log: quiet });
if (Number(leaseMs) > 0) keeper.start();
for (let nth = 0; nth < Number(batches); nth += 1) {
  const id = `${name}:${nth}`;
  let attempts = 1;
  while (!(await shared.append([{ op: 'remove', id, writtenAt: nth }]))) attempts += 1;
  say({ acknowledged: id, attempts });
}
say({ done: true });
await once(process.stdin.resume(), 'end');
await keeper.stop();
await shared.close();
process.exit(0);
