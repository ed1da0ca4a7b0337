/**
 * Preloaded (`--import`) into a process that writes into a store: says in a file, one JSON line each, what it has asked the system to make safe
 * from a power cut, once the system has said that it is. Removals and replacements are not safe before the folder is synced, so a hard link
 * keeps what they take away.
 * Environment: SYNC_LOG, the file; SYNC_KEPT, a folder on the same disk.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';

const log = fs.openSync(process.env.SYNC_LOG, 'a');
const kept = process.env.SYNC_KEPT;
let links = 0;
const say = (line) => fs.writeSync(log, `${JSON.stringify(line)}\n`);
const fileOf = (descriptor) => fs.readlinkSync(`/proc/self/fd/${descriptor}`);

/** What the system is asked to make safe: everything that is there when it is asked. */
function asked(descriptor) {
  const file = fileOf(descriptor);
  const stats = fs.fstatSync(descriptor);
  return stats.isDirectory() ? { folder: file, names: fs.readdirSync(file) } : { file, bytes: stats.size };
}

for (const name of ['fdatasync', 'fsync']) {
  const original = fs[name];
  fs[name] = (descriptor, callback) => {
    const safe = asked(descriptor);
    original(descriptor, (error) => {
      if (!error) say(safe);
      callback(error);
    });
  };
  const originalNow = fs[`${name}Sync`];
  fs[`${name}Sync`] = (descriptor) => {
    const safe = asked(descriptor);
    originalNow(descriptor);
    say(safe);
  };
}

const handle = await fs.promises.open(process.env.SYNC_LOG, 'r');
const { prototype } = handle.constructor;
for (const name of ['sync', 'datasync']) {
  const original = prototype[name];
  prototype[name] = async function () {
    const safe = asked(this.fd);
    await original.call(this);
    say(safe);
  };
}
await handle.close();

/** Keeps a file that is about to go. */
function keep(file) {
  links += 1;
  const link = path.join(kept, String(links));
  try {
    fs.linkSync(file, link);
    say({ gone: path.resolve(file), link });
  } catch {
    // There is none, or it is a folder: what is in it is gone file by file in no order that we could know.
  }
}

for (const name of ['rename', 'renameSync']) {
  for (const holder of name === 'rename' ? [fs.promises] : [fs]) {
    const original = holder[name];
    holder[name] = (from, to) => {
      keep(to);
      say({ moved: path.resolve(from), to: path.resolve(to) });
      return original(from, to);
    };
  }
}
for (const [holder, name] of [
  [fs.promises, 'rm'],
  [fs.promises, 'unlink'],
  [fs, 'rmSync'],
  [fs, 'unlinkSync'],
]) {
  const original = holder[name];
  holder[name] = (file, options) => {
    keep(file);
    return original(file, options);
  };
}
syncBuiltinESMExports();
