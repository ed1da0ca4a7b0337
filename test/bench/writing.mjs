// What puts entries in and takes them out.
import { entries } from './corpus.mjs';
import { drive } from './load.mjs';

const LINES = 2000;
/** More than any phase can save in a second. */
const SAVES_PER_SECOND = 4000;
const NAMESPACE = 'bench/ns-0';

/** Entries in requests of 2,000 lines, made from generated entries as they are needed. */
function* importBodies(generated) {
  let lines = [];
  for (const entry of generated) {
    lines.push(JSON.stringify(entry));
    if (lines.length < LINES) continue;
    yield lines.join('\n');
    lines = [];
  }
  if (lines.length > 0) yield lines.join('\n');
}

/** Imports `count` generated entries, by default those of the corpus; the time of making them is not counted. */
export async function importing(server, count, generated = entries(count)) {
  let ms = 0;
  const cpuBefore = server.cpuMs();
  for (const body of importBodies(generated)) {
    const began = performance.now();
    await server.send('POST', '/api/import', body, 'application/x-ndjson');
    ms += performance.now() - began;
  }
  const perEntry = cpuBefore === undefined ? {} : { cpuMs: Number(((server.cpuMs() - cpuBefore) / count).toFixed(3)) };
  return { perSecond: Math.round(count / (ms / 1000)), ...perEntry };
}

/** One request an entry, with 1, 8 and 32 clients, each time after what the last ones left to do is done. */
export async function saving(server, { seconds }) {
  const results = [];
  for (const clients of [1, 8, 32]) {
    const bodies = Array.from(entries(Math.ceil(SAVES_PER_SECOND * seconds), 1000 + clients), (entry) => JSON.stringify(entry));
    const { cpuMs } = server;
    await server.settle();
    results.push(await drive((nth) => server.send('POST', '/api/save', bodies[nth]), { clients, seconds, most: bodies.length, cpuMs }));
  }
  return results;
}

/** Deletes some of the oldest entries of one namespace, one after another. */
export async function removing(server, { seconds, most = 500 }) {
  const ids = [];
  for (let offset = 0; offset < most; offset += 100) {
    const page = await server.call('GET', `/api/list?namespace=${NAMESPACE}&limit=100&offset=${offset}&sort=createdAt`);
    ids.push(...page.entries.map(({ id }) => id));
    if (page.entries.length < 100) break;
  }
  const few = ids.slice(0, Math.ceil(ids.length / 2));
  return await drive((nth) => server.send('DELETE', `/api/${few[nth]}`), { seconds, most: few.length, cpuMs: server.cpuMs });
}
