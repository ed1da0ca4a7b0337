// What each operation costs one server: CPU of all its threads, by the kernel's count, and the floor that the engine sets.
import path from 'node:path';
import { connect, Index } from '@lancedb/lancedb';
import { embedText } from '../../dist/embeddings/builtin.js';
import { entries } from './corpus.mjs';
import { median } from './load.mjs';
import { questionsOf, requestOf } from './reading.mjs';
import { startServer } from './server.mjs';
import { bytesOf } from './maintenance.mjs';
import { importing } from './writing.mjs';

const ROUNDS = 3;
/** The kernel counts CPU in steps of 10 ms: a round takes some hundred of them. */
const TIMES = { cheap: 1500, dear: 400, floor: 300 };
const SAVES = 200;
const TEXTS = 4000;

const rounded = (ms) => Number(ms.toFixed(2));

/** CPU of embedding a fixed text: how fast this machine is now. */
export function embedderMs() {
  const texts = Array.from(entries(TEXTS), ({ content }) => content);
  const took = () => {
    const began = process.cpuUsage();
    for (const text of texts) embedText(text);
    const { user, system } = process.cpuUsage(began);
    return (user + system) / 1000;
  };
  return rounded(median(Array.from({ length: ROUNDS + 1 }, took)));
}

/** CPU of one call, in milliseconds: the median of some rounds, after one that is not counted. */
async function costOf(cpuMs, times, operation) {
  const rounds = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const began = cpuMs();
    for (let nth = 0; nth < times; nth += 1) await operation(round * times + nth);
    if (round > 0) rounds.push((cpuMs() - began) / times);
  }
  return rounded(median(rounds));
}

/** Saves one after another, and what they leave to be done afterwards. */
async function saving(server) {
  const bodies = Array.from(entries(2 * SAVES, 2000), (entry) => JSON.stringify(entry));
  const some = async (from) => {
    const began = server.cpuMs();
    for (const body of bodies.slice(from, from + SAVES)) await server.send('POST', '/api/save', body);
    const answered = server.cpuMs();
    for (;;) {
      await server.settle();
      if ((await server.call('GET', '/api/health')).relating === undefined) break;
    }
    return { save: rounded((answered - began) / SAVES), 'save, afterwards': rounded((server.cpuMs() - answered) / SAVES) };
  };
  await some(0);
  return await some(SAVES);
}

const MODES = ['keyword', 'vector', 'hybrid'];

/** CPU in milliseconds of each operation, memory in MB and bytes on the disk, on a store of `count` entries in a folder of its own. */
export async function measureCosts(folder, count) {
  const first = await startServer(folder);
  await importing(first, count);
  await first.settle();
  await first.stop();
  const server = await startServer(folder);
  const costs = { start: server.cpuMs() };
  try {
    const { cpuMs } = server;
    const asked = questionsOf(count);
    const page = await server.call('GET', '/api/list?namespace=bench/ns-0&limit=100');
    const ids = page.entries.map(({ id }) => id);
    const missing = () => server.send('GET', '/api/none/of/these').catch(() => undefined);
    costs['404'] = await costOf(cpuMs, TIMES.cheap, missing);
    costs['health'] = await costOf(cpuMs, TIMES.cheap, () => server.send('GET', '/api/health'));
    costs['get'] = await costOf(cpuMs, TIMES.cheap, (nth) => server.send('GET', `/api/${ids[nth % ids.length]}`));
    costs['list of 100'] = await costOf(cpuMs, TIMES.dear, () => server.send('GET', '/api/list?namespace=bench/ns-0&limit=100'));
    for (const mode of MODES) {
      const requests = asked.map((question) => requestOf(question, mode, 'one'));
      costs[`recall, ${mode}`] = await costOf(cpuMs, TIMES.dear, (nth) => {
        const { path: route, body } = requests[nth % requests.length];
        return server.send('POST', route, body);
      });
    }
    Object.assign(costs, await saving(server));
    const began = cpuMs();
    for (const id of ids) await server.send('DELETE', `/api/${id}`);
    costs['delete'] = rounded((cpuMs() - began) / ids.length);
    await server.settle();
    costs['memory, MB'] = server.rss();
  } finally {
    await server.stop();
  }
  costs['disk, bytes an entry'] = Math.round(bytesOf(folder) / (count + SAVES));
  return costs;
}

/** One query of the engine alone, within this process, on a table of the same texts with the same indexes. */
export async function engineFloor(folder, count) {
  const place = await connect(path.join(folder, 'floor'));
  const rows = Array.from(entries(count), ({ content, namespace }, id) => ({
    id,
    namespace,
    text: content,
    vector: [...embedText(content)],
  }));
  const table = await place.createTable('texts', rows);
  await table.createIndex('text', { config: Index.fts() });
  await table.createIndex('namespace', { config: Index.bitmap() });
  await table.createIndex('vector', { config: Index.ivfRq({ distanceType: 'cosine' }) });
  const asked = questionsOf(count);
  const cpuMs = () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  };
  const queryOf = {
    keyword: ({ query }) => table.query().fullTextSearch(query),
    vector: ({ query }) =>
      table
        .query()
        .nearestTo([...embedText(query)])
        .distanceType('cosine'),
  };
  const floors = {};
  for (const [mode, ask] of Object.entries(queryOf)) {
    floors[`engine, ${mode}`] = await costOf(cpuMs, TIMES.floor, (nth) => {
      const question = asked[nth % asked.length];
      return ask(question)
        .where(`namespace = '${question.namespace}'`)
        .select(['id', mode === 'keyword' ? '_score' : '_distance'])
        .limit(50)
        .toArray();
    });
  }
  place.close();
  return floors;
}
