// What a server and its store take at one moment, from its metrics, from the kernel and from its folder.
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import path from 'node:path';

const MB = 1024 * 1024;

const attempt = (read, otherwise) => {
  try {
    return read();
  } catch {
    return otherwise;
  }
};

/** Sums of the samples of a text of Prometheus, by name. */
function readMetrics(text) {
  const sums = new Map();
  for (const line of text.split('\n')) {
    const [, name, value] = /^([a-z_]+)(?:\{.*\})? (\S+)$/.exec(line) ?? [];
    if (name !== undefined) sums.set(name, (sums.get(name) ?? 0) + Number(value));
  }
  return (name) => sums.get(name);
}

/** Threads of a process, its open files, and those among them that were removed already; undefined where there is no /proc. */
function processFigures(pid) {
  const names = attempt(() => readdirSync(`/proc/${pid}/fd`), undefined);
  if (names === undefined) return {};
  const places = names.map((name) => attempt(() => readlinkSync(`/proc/${pid}/fd/${name}`), ''));
  return {
    fds: names.length,
    removedFilesOpen: places.filter((place) => place.startsWith('/') && place.endsWith(' (deleted)')).length,
    threads: attempt(() => readdirSync(`/proc/${pid}/task`).length, undefined),
  };
}

/** Processes that a process has started and that run. */
export function childrenOf(pid) {
  const tasks = attempt(() => readdirSync(`/proc/${pid}/task`), []);
  const lists = tasks.map((task) => attempt(() => readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8'), ''));
  return lists.flatMap((list) => list.split(' ')).flatMap((child) => (/^\d+$/.test(child) ? [Number(child)] : []));
}

/** Files of a folder and their bytes; what goes meanwhile counts nothing. */
function folderFigures(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const sizes = files.map((file) => attempt(() => statSync(path.join(file.parentPath, file.name)).size, 0));
  return { files: files.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
}

/** One sample of a server. */
export async function sampleOf(server, folder) {
  const metric = readMetrics(Buffer.from(await server.send('GET', '/metrics')).toString());
  const { files, bytes } = folderFigures(folder);
  const entries = metric('lore_store_entries');
  return {
    entries,
    rssMB: server.rss(),
    heapMB: Number((metric('nodejs_heap_size_used_bytes') / MB).toFixed(1)),
    ...processFigures(server.pid),
    children: childrenOf(server.pid).length,
    // Timers, sockets, pipes and requests to the system that keep the process alive.
    resources: metric('nodejs_active_resources_total'),
    eventStreams: metric('lore_event_streams'),
    writeQueue: metric('lore_write_queue_changes'),
    embedQueue: metric('lore_embed_queue_texts'),
    versions: metric('lore_store_versions'),
    fragments: metric('lore_store_fragments'),
    freshRows: metric('lore_store_fresh_rows'),
    journalMB: Number((metric('lore_journal_bytes') / MB).toFixed(2)),
    files,
    storeMB: Number((bytes / MB).toFixed(1)),
    bytesPerEntry: Math.round(bytes / entries),
  };
}
