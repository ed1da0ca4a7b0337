// What asks: recalls in every mode, lists, and reads among writes.
import { entries, questions, random } from './corpus.mjs';
import { drive, mapAll, summary } from './load.mjs';

const MODES = ['vector', 'keyword', 'hybrid'];
/** Different questions, so that what was asked before is rarely asked again within a phase. */
const QUESTIONS = 2000;
const HITS = 200;
const LIMIT = 10;
const WRITES_PER_SECOND = 1000;

/** Questions on entries from all over the `count` that were imported. */
export function questionsOf(count) {
  const step = Math.max(1, Math.floor(count / QUESTIONS));
  const known = [];
  let nth = 0;
  for (const entry of entries(count)) if (nth++ % step === 0) known.push(entry);
  return questions(known, QUESTIONS);
}

/** The request of a question: `recall` in the namespace of its entry, or `search` over all. */
export function requestOf({ query, namespace }, searchMode, filter) {
  const path = filter === 'one' ? '/api/recall' : '/api/search';
  return { path, body: JSON.stringify({ query, searchMode, limit: LIMIT, ...(filter === 'one' ? { namespace } : {}) }) };
}

async function hitRate(server, asked, requests) {
  const found = await mapAll(asked.slice(0, HITS), async ({ content }, nth) => {
    const { results } = await server.call('POST', requests[nth].path, requests[nth].body);
    return results.some(({ entry }) => entry.content === content);
  });
  return found.filter(Boolean).length / found.length;
}

/** Every mode, in one namespace and in all, with 1 and 16 clients. `hits`: share 0..1 of the known entries among the first ten. */
export async function recalling(server, asked, { seconds }) {
  const results = [];
  for (const mode of MODES) {
    for (const filter of ['one', 'all']) {
      const requests = asked.map((question) => requestOf(question, mode, filter));
      const hits = await hitRate(server, asked, requests);
      for (const clients of [1, 16]) {
        const operation = (nth) => {
          const { path, body } = requests[nth % requests.length];
          return server.send('POST', path, body);
        };
        results.push({ mode, filter, hits, ...(await drive(operation, { clients, seconds, cpuMs: server.cpuMs })) });
      }
    }
  }
  return results;
}

/** 100 entries of the largest namespace, from the start and from a quarter of all entries on. */
export async function listing(server, count, { seconds }) {
  const results = [];
  for (const offset of [0, Math.floor(count / 4)]) {
    const operation = () => server.send('GET', `/api/list?namespace=bench/ns-0&limit=100&offset=${offset}`);
    results.push({ offset, ...(await drive(operation, { seconds: seconds / 2, cpuMs: server.cpuMs })) });
  }
  return results;
}

/** Eight clients, nine hybrid recalls to one save, in a seeded order. */
export async function mixed(server, asked, { seconds }) {
  const next = random(11);
  const requests = asked.map((question) => requestOf(question, 'hybrid', 'one'));
  const saves = Array.from(entries(Math.ceil(WRITES_PER_SECOND * seconds), 77), (entry) => JSON.stringify(entry));
  const times = { reads: [], saves: [] };
  let saved = 0;
  const operation = async (nth) => {
    const isSave = next() < 0.1 && saved < saves.length;
    const { path, body } = isSave ? { path: '/api/save', body: saves[saved++] } : requests[nth % requests.length];
    const began = performance.now();
    await server.send('POST', path, body);
    times[isSave ? 'saves' : 'reads'].push(performance.now() - began);
  };
  const { perSecond, cpuMs } = await drive(operation, { clients: 8, seconds, cpuMs: server.cpuMs });
  return { perSecond, cpuMs, reads: summary(times.reads), saves: summary(times.saves) };
}

/** One client's hybrid recalls: an operation for `drive`. */
export function hybridReads(server, asked) {
  const requests = asked.map((question) => requestOf(question, 'hybrid', 'one'));
  return (nth) => server.send('POST', '/api/recall', requests[nth % requests.length].body);
}
