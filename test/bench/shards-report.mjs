// The figures of `npm run bench:shards` as Markdown.
import { table } from './markdown.mjs';

const MODES = ['hybrid', 'vector', 'keyword'];
const WHERE = { one: 'in one namespace', all: 'in all' };

const ms = (value) => (value === undefined ? '-' : `${value.toFixed(value < 10 ? 1 : 0)} ms`);
const seconds = (value) => `${value.toFixed(1)} s`;
const bytes = (value) => (value >= 1e9 ? `${(value / 1e9).toFixed(1)} GB` : `${Math.round(value / 1e6)} MB`);

/** How many times less the last one is. */
const ratio = (values) => (values.length > 1 && values.at(-1) > 0 ? (values[0] / values.at(-1)).toFixed(1) : '-');

export function shardsReport({ machine, date, loadBefore, count, namespaces, rows, sizes }) {
  const line = (what, valueOf, shown) => {
    const values = sizes.map(valueOf);
    return [what, ...values.map((value) => shown(value)), ratio(values)];
  };
  const recallLines = MODES.flatMap((mode) =>
    Object.entries(WHERE).flatMap(([filter, where]) =>
      [1, 16].flatMap((clients) => {
        const of = (size) => size.recalls.find((one) => one.mode === mode && one.filter === filter && one.clients === clients);
        const what = `${mode} ${where}, ${clients} ${clients === 1 ? 'client' : 'clients'}`;
        return [line(`${what}: p50`, (size) => of(size).p50, ms), line(`${what}: p99`, (size) => of(size).p99, ms)];
      }),
    ),
  );
  const maintenance = [
    line(`${rows} rows of one namespace, until all is quiet`, ({ cycle }) => cycle.seconds, seconds),
    line('CPU time of that', ({ cycle }) => cycle.cpuSeconds, seconds),
    line('written for that', ({ cycle }) => cycle.written, bytes),
    line('read for that', ({ cycle }) => cycle.read, bytes),
    line('a recall beside it: p50', ({ cycle }) => cycle.p50, ms),
    line('a recall beside it: the slowest', ({ cycle }) => cycle.worst, ms),
    line('a backup after it: added to the disk', ({ backup }) => backup.added, bytes),
    line('a backup after it: time', ({ backup }) => backup.seconds, seconds),
    line('resident memory', ({ rss }) => rss * 1e6, bytes),
  ];
  const head = ['', ...sizes.map(({ tables }) => `${tables} ${tables === 1 ? 'table' : 'tables'}`), 'times less'];
  const [first, ...others] = sizes;
  const moved = others.map(
    ({ tables, settledSeconds, peakRss }) =>
      ` The move to ${tables} tables took ${Math.round(settledSeconds)} s while the server answered, and ${bytes(peakRss * 1e6)} of memory at its peak.`,
  );
  return [
    `${machine}, ${date}, ${count.toLocaleString('en-US')} entries in ${namespaces} namespaces; load of the machine before it began: ${loadBefore.toFixed(1)}. ` +
      `The import took ${Math.round(count / first.import.perSecond)} s.${moved.join('')}`,
    '',
    table(head, [...recallLines, ...maintenance]),
  ].join('\n');
}
