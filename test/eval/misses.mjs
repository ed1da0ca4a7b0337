// Which queries went wrong, and what came instead: for whoever tunes. Held-out queries are never shown.
import { isAnswerable } from './dataset.mjs';
import { answersOf } from './metrics.mjs';

const ENOUGH = 3;

const head = (text) => text.replace(/\s+/g, ' ').slice(0, 60);

/** Text on every tuning query of one system that has no answer among the first three. */
export function misses({ embedder, name, answers }, { memories, queries }) {
  const memory = new Map(memories.map((one) => [one.id, one]));
  const asked = queries.filter((query) => query.split === 'tune' && isAnswerable(query));
  const missed = asked.filter(({ id, relevant }) => {
    const wanted = new Set(answersOf(relevant));
    return !answers
      .get(id)
      .ranked.slice(0, ENOUGH)
      .some((result) => wanted.has(result.id));
  });
  const blocks = missed.map(({ id, group, query, namespace, relevant, superseded = [] }) => {
    const { ranked } = answers.get(id);
    const wanted = answersOf(relevant).map((want) => {
      const at = ranked.findIndex((result) => result.id === want);
      return `    want ${want} (${relevant[want]})  ${at === -1 ? 'not in the first ten' : `at ${at + 1}`}  ${head(memory.get(want).content)}`;
    });
    const got = ranked.slice(0, 5).map((result) => {
      const mark = superseded.includes(result.id) ? ' superseded' : relevant[result.id] ? ` (${relevant[result.id]})` : '';
      return `    got  ${result.id}${mark}  ${result.score.toFixed(3)}  ${head(memory.get(result.id).content)}`;
    });
    return [`${id} ${group}${namespace === undefined ? '' : ` in ${namespace}`}: ${query}`, ...wanted, ...got].join('\n');
  });
  const title = `${embedder}, ${name}: ${missed.length} of ${asked.length} tuning queries without an answer in the first ${ENOUGH}`;
  return [title, ...blocks].join('\n\n');
}
