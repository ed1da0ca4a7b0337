// What several servers on one store do, as Markdown.
import { table } from './markdown.mjs';

const number = (value, digits = 1) => (value === undefined || Number.isNaN(value) ? '-' : value.toFixed(digits));
const whole = (value) => (value === undefined || Number.isNaN(value) ? '-' : Math.round(value).toLocaleString('en-US'));
const percent = (share) => (Number.isNaN(share) ? '-' : `${Math.round(share * 100)} %`);

function figures(phases) {
  const one = ({ what, clients }) =>
    phases.find((phase) => phase.servers === phases[0].servers && phase.what === what && phase.clients === clients);
  const order = [...new Set(phases.map(({ what }) => what))];
  const sorted = phases.toSorted((a, b) => order.indexOf(a.what) - order.indexOf(b.what) || a.clients - b.clients || a.servers - b.servers);
  const rows = sorted.map((phase) => [
    phase.what,
    phase.clients,
    phase.servers,
    number(phase.perSecond),
    number(phase.perSecond / one(phase).perSecond, 2),
    number(phase.p50),
    number(phase.p99),
    number(phase.cpu.servers, 2),
    number(phase.cpu.emulator, 2),
    number(phase.cpu.load, 2),
    percent(phase.busy),
    number(phase.requests),
  ]);
  const head = [
    '',
    'clients',
    'servers',
    'a second',
    'times the fewest servers',
    'p50 ms',
    'p99 ms',
    'CPU ms/op: servers',
    'emulator',
    'load',
    'all cores busy',
    'storage requests/op',
  ];
  return table(head, rows);
}

/** The tables, and a sentence on where the time went, all from what was measured. */
export function serversReport({ machine, date, count, loadBefore, import: imported, starts, rss, slowestAtKill, phases }) {
  const most = Math.max(...phases.map(({ clients }) => clients));
  const shares = [...new Set(phases.map(({ what }) => what))].map((what) => {
    const { cpu, servers } = phases.findLast((phase) => phase.what === what && phase.clients === most);
    const all = cpu.servers + cpu.emulator + cpu.load;
    const parts = [
      `${percent(cpu.servers / all)} in the servers`,
      `${percent(cpu.emulator / all)} in the emulator`,
      `${percent(cpu.load / all)} in what asks`,
    ];
    return `- CPU time of ${what}, ${most} clients, ${servers} ${servers === 1 ? 'server' : 'servers'}: ${parts.join(', ')}.`;
  });
  const facts = [
    `${machine}, ${date}, ${whole(count)} entries; load of the machine before it began: ${number(loadBefore)}.`,
    `The import by one server took ${whole(count / imported.perSecond)} s (${whole(imported.perSecond)} entries a second), with all work behind it ${whole(imported.settledSeconds)} s.`,
    ...(starts.length === 0 ? [] : [`A server more started in ${starts.map((ms) => number(ms / 1000)).join(' and ')} s.`]),
    ...(slowestAtKill === undefined
      ? []
      : [`While the maintaining server was killed, the slowest save of the others took ${whole(slowestAtKill)} ms.`]),
    `Resident memory of the servers at the end: ${rss.map(whole).join(', ')} MB.`,
  ];
  return [facts.join(' '), figures(phases), shares.join('\n')].join('\n\n');
}
