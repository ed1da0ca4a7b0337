// What was measured against what it may be.
import { table } from './markdown.mjs';

/** Depend on the machine's speed, and are scaled by it. The rest are megabytes and bytes. */
const isTime = (name) => !/MB|bytes/.test(name);
/** The engine's own are shown for comparison. */
const isOurs = (name) => !name.startsWith('engine');

/** The table, and the names of those that are over their budget by more than `tolerance`. */
export function budgetReport({ machine, embedderMs, costs }, budget, { load, tolerance }) {
  const speed = embedderMs / budget.embedderMs;
  const counts = Object.keys(costs);
  const names = Object.keys(costs[counts[0]]);
  const over = [];
  const rows = names.map((name) => [
    isTime(name) ? `${name}, ms` : name,
    ...counts.flatMap((count) => {
      const cost = costs[count][name];
      const allowed = budget.costs[count]?.[name];
      const may = allowed === undefined ? undefined : allowed * (isTime(name) ? speed : 1);
      const isOver = may !== undefined && isOurs(name) && cost > may * (1 + tolerance);
      if (isOver) over.push(`${name} (${count} entries)`);
      return [`${cost}${isOver ? ' (over)' : ''}`, may === undefined || !isOurs(name) ? '' : Number(may.toFixed(2))];
    }),
  ]);
  const head = [
    'CPU of the server, all threads',
    ...counts.flatMap((count) => [`${Number(count).toLocaleString('en')} entries`, 'budget']),
  ];
  const from = `${machine}; load before ${load.toFixed(1)}. Budgets are those of test/bench/budget.json times ${speed.toFixed(2)}, as embedding a fixed text took ${embedderMs} ms.`;
  return { text: [from, table(head, rows), ...course(budget)].join('\n\n'), over };
}

/** The budgets that were accepted one after the other, at the largest number of entries, as fast as the machine of the last one. */
function course({ before = [], ...last }) {
  if (before.length === 0) return [];
  const count = Object.keys(last.costs).at(-1);
  const all = [...before, last];
  const rows = Object.keys(last.costs[count])
    .filter(isTime)
    .map((name) => [
      name,
      ...all.map(({ costs, embedderMs }) => Number((costs[count][name] * (last.embedderMs / embedderMs)).toPrecision(3)) || ''),
    ]);
  const told = `The budgets before, at ${Number(count).toLocaleString('en')} entries, in ms of CPU as on the machine of the last one:`;
  return [told, table(['', ...all.map(({ on }) => on)], rows)];
}
