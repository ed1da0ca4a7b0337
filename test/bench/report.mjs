// The measured figures as Markdown tables and as curves.
import { table } from './markdown.mjs';
import { plot } from './plot.mjs';

const number = (value, digits = 2) => (value === undefined || Number.isNaN(value) ? '-' : value.toFixed(digits));
const whole = (value) => (value === undefined ? '-' : value.toLocaleString('en-US', { maximumFractionDigits: 0 }));
const times = ({ p50, p95, p99 }) => [number(p50), number(p95), number(p99)];
const TIMES = ['p50 ms', 'p95 ms', 'p99 ms'];
const CPU = 'CPU ms/op';

function imports(sizes) {
  const rows = sizes.map(({ count, import: { perSecond, cpuMs, settledSeconds } }) => [
    whole(count),
    whole(perSecond),
    number(cpuMs, 3),
    number(settledSeconds, 1),
  ]);
  return table(['entries', 'import, entries/s', CPU, 'import and all work behind it, s'], rows);
}

function saves(sizes) {
  const rows = sizes.flatMap(({ count, save }) =>
    save.map((one) => [whole(count), one.clients, whole(one.perSecond), ...times(one), number(one.cpuMs)]),
  );
  return table(['entries', 'clients', 'saves/s', ...TIMES, CPU], rows);
}

function recalls(sizes) {
  const rows = sizes.flatMap(({ count, recall }) =>
    recall.map(({ mode, filter, hits, ...one }) => [
      whole(count),
      mode,
      filter,
      one.clients,
      whole(one.perSecond),
      ...times(one),
      number(one.cpuMs),
      number(hits, 3),
    ]),
  );
  return table(['entries', 'recall', 'namespaces', 'clients', 'qps', ...TIMES, CPU, 'known entry in top 10'], rows);
}

function exactness(sizes) {
  const told = sizes.filter(({ diagnosis }) => diagnosis !== undefined);
  if (told.length === 0) return undefined;
  const rows = told.map(({ count, diagnosis: { vectorIndex, recall, freshRows, unindexedRows, drift, disagreements } }) => [
    whole(count),
    vectorIndex.kind,
    recall.probes,
    number(recall.all, 3),
    number(recall.oneNamespace, 3),
    number(recall.worst, 3),
    whole(freshRows),
    `${whole(unindexedRows.vector)} / ${whole(unindexedRows.keyword)}`,
    number(drift, 3),
    disagreements,
  ]);
  const head = ['entries', 'vector index', 'probes', 'recall@10', 'in one namespace', 'worst', 'fresh rows', 'unindexed vectors / words'];
  return table([...head, 'drift', 'disagreements'], rows);
}

function singles(sizes) {
  const rows = sizes.flatMap(({ count, list, remove }) => [
    ...list.map(({ offset, ...one }) => [whole(count), `list 100 at offset ${whole(offset)}`, ...times(one), number(one.cpuMs)]),
    [whole(count), 'delete', ...times(remove), number(remove.cpuMs)],
  ]);
  return table(['entries', 'one client', ...TIMES, CPU], rows);
}

function mixes(sizes) {
  const rows = sizes.map(({ count, mixed }) => [
    whole(count),
    whole(mixed.perSecond),
    ...times(mixed.reads),
    number(mixed.saves.p50),
    number(mixed.saves.p99),
    number(mixed.cpuMs),
  ]);
  const head = ['entries', 'operations/s', 'recall p50 ms', 'p95 ms', 'p99 ms', 'save p50 ms', 'p99 ms', CPU];
  return table(head, rows);
}

function busyReads(sizes) {
  const rows = sizes.map(({ count, maintenance: { quiet, busy } }) => [
    whole(count),
    number(quiet.p50),
    number(quiet.p99),
    number(busy.p50),
    number(busy.p99),
    busy.p99 === undefined ? '-' : number(busy.p99 / quiet.p99, 1),
    whole(busy.count),
  ]);
  const head = ['entries', 'quiet p50 ms', 'quiet p99 ms', 'during maintenance p50 ms', 'p99 ms', 'p99 over quiet', 'reads counted'];
  return table(head, rows);
}

function footprint(sizes) {
  const rows = sizes.map(({ count, start, peakRss, peakRssWriting, disk }) => [
    whole(count),
    whole(start.healthMs),
    whole(start.firstRecallMs),
    whole(start.idleRss),
    whole(peakRss),
    whole(peakRssWriting),
    whole(disk.atOnce),
    whole(disk.settled),
  ]);
  const head = ['entries', 'start to health, ms', 'to first recall, ms', 'RSS idle, MB', 'peak, import and reads', 'peak, writes'];
  return table([...head, 'disk after import, bytes/entry', 'after maintenance'], rows);
}

/** @type {[string, (sizes: any) => string | undefined][]} */
const parts = [
  ['Import', imports],
  ['Save, one request an entry', saves],
  ['Recall, ten results', recalls],
  ['Vector search against exact search', exactness],
  ['List and delete', singles],
  ['Nine hybrid recalls to one save, eight clients', mixes],
  ['Hybrid recalls of one client while maintenance runs', busyReads],
  ['Start, memory, disk', footprint],
];

/** Every table, as Markdown. */
export function report({ machine, embedder, sizes }) {
  const tables = parts.flatMap(([title, make]) => {
    const text = make(sizes);
    return text === undefined ? [] : [`### ${title}`, text];
  });
  const facts = `${machine}. The builtin embedder alone: ${whole(embedder)} texts of 26 words in a second of CPU.`;
  return [facts, ...tables].join('\n\n');
}

/** Cost against the number of entries, as an SVG image. */
export function curves({ sizes }) {
  const points = (value) => sizes.map((size) => [size.count, value(size)]);
  const recallAt = (mode) =>
    points(({ recall }) => recall.find((one) => one.mode === mode && one.filter === 'one' && one.clients === 1).p50);
  const savesAt = (clients) => points(({ save }) => save.find((one) => one.clients === clients).perSecond);
  return plot([
    {
      title: 'Recall in one namespace, p50, ms',
      series: ['vector', 'keyword', 'hybrid'].map((name) => ({ name, points: recallAt(name) })),
    },
    { title: 'Saves a second', series: [1, 8, 32].map((clients) => ({ name: `${clients} cl.`, points: savesAt(clients) })) },
    {
      title: 'Resident memory, MB',
      series: [
        { name: 'idle', points: points(({ start }) => start.idleRss) },
        { name: 'peak', points: points(({ peakRss }) => peakRss) },
      ],
    },
    {
      title: 'Disk, bytes an entry',
      series: [
        { name: 'at once', points: points(({ disk }) => disk.atOnce) },
        { name: 'settled', points: points(({ disk }) => disk.settled) },
      ],
    },
  ]);
}
