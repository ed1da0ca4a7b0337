import { createHash } from 'node:crypto';
import { demoLines } from '../../src/demo/demo-store.ts';
import type { TestServer } from '../helpers/server.ts';

const MORE = 760;
const DAY_MS = 86_400_000;
const MINUTES_OF_A_DAY = 1440;

const SERVICES = ['ticket', 'refund', 'timetable', 'payout', 'boarding', 'pricing', 'receipt', 'crew', 'weather', 'harbour'] as const;
const PARTS = [
  'scheduler',
  'cache',
  'importer',
  'queue',
  'validator',
  'renderer',
  'gateway',
  'ledger',
  'session store',
  'exporter',
] as const;
const CAUSES = [
  'the clock of one machine was ahead',
  'a retry came before the first answer',
  'the index was missing on the new partition',
  'two releases disagreed about an optional field',
  'the pool was empty for eleven seconds',
  'a test left its file behind',
  'the time zone was taken from the server',
] as const;
const CURES = [
  'one writer, everybody else asks it',
  'a unique key decides, not the code',
  'the limit is counted in bytes',
  'the value is read once and passed on',
  'the job is idempotent now',
  'a timeout of two seconds and one retry',
] as const;
const PLACES = ['kelpwright/api', 'kelpwright/web', 'kelpwright/infra', 'kelpwright/gate', 'kelpwright/data', 'global'] as const;
const TAGS = ['bug', 'decision', 'command', 'fact', 'preference', 'postgres', 'deploy', 'test', 'performance', 'security'] as const;
const SOURCES = ['mcp', 'mcp', 'mcp', 'auto-capture', 'auto-capture', 'cli', 'web', 'api', 'ingest', 'index'] as const;
const PRIORITIES = ['normal', 'normal', 'normal', 'normal', 'high', 'low'] as const;

/** Numbers that look random and are the same every time (mulberry32). */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * sides);
  };
}

type Roll = ReturnType<typeof dice>;
const pick = <T>(roll: Roll, all: readonly T[]): T => all[roll(all.length)]!;

/** The ways in which people write such things down. */
const TEMPLATES: readonly ((roll: Roll, number: number) => string)[] = [
  (roll, number) =>
    `Bug ${number}: the ${pick(roll, SERVICES)} ${pick(roll, PARTS)} answered twice because ${pick(roll, CAUSES)}. Cure: ${pick(roll, CURES)}.`,
  (roll, number) =>
    `The ${pick(roll, SERVICES)} ${pick(roll, PARTS)} takes ${20 + roll(400)} ms in the median and ${500 + roll(900)} ms at the worst, measured with ${number} requests.`,
  (roll, number) =>
    `To run the ${pick(roll, SERVICES)} ${pick(roll, PARTS)} by hand: \`make ${pick(roll, SERVICES)} RUN=${number} DRY=1\`.`,
  (roll, number) =>
    `Decision ${number}: the ${pick(roll, PARTS)} belongs to ${pick(roll, SERVICES)}, not to ${pick(roll, SERVICES)}, since ${pick(roll, CAUSES)} more than once.`,
  (roll, number) =>
    `In \`services/${pick(roll, SERVICES)}/src/${pick(roll, SERVICES)}-${number}.ts\` ${pick(roll, CURES)}; the tests beside it say why.`,
  (roll, number) =>
    `# Notes on ${pick(roll, SERVICES)} ${number}\n\n${pick(roll, CAUSES)}, so ${pick(roll, CURES)}.\n\n- seen ${1 + roll(9)} times\n- last in week ${1 + roll(52)}\n\n\`\`\`sh\nmake check SERVICE=${pick(roll, SERVICES)}\n\`\`\``,
];

/** A UUID in the manner of version 7, the same for the same number and time. */
function idOf(number: number, at: number): string {
  const hash = createHash('sha256').update(String(number)).digest('hex');
  const time = at.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hash.slice(0, 3)}-8${hash.slice(3, 6)}-${hash.slice(6, 18)}`;
}

function* moreLines(now: Date): Generator<object> {
  const roll = dice(7);
  for (let number = 1; number <= MORE; number++) {
    const content = pick(roll, TEMPLATES)(roll, number);
    const at = now.getTime() - (1 + roll(420)) * DAY_MS - roll(MINUTES_OF_A_DAY) * 60_000;
    const tags = [...new Set(Array.from({ length: 1 + roll(3) }, () => pick(roll, TAGS)))];
    const metadata = { namespace: pick(roll, PLACES), tags, priority: pick(roll, PRIORITIES), source: pick(roll, SOURCES) };
    yield { id: idOf(number, at), content, metadata: { ...metadata, timestamp: new Date(at).toISOString() } };
  }
}

/** Brings more than a thousand realistic memories in through the import: those of `lore demo`, and varied ones that are the same every time. */
export async function seedThousand(server: Pick<TestServer, 'call'>, now = new Date()): Promise<number> {
  const lines = [...demoLines(now), ...moreLines(now)].map((line) => `${JSON.stringify(line)}\n`);
  const headers = { 'content-type': 'application/x-ndjson' };
  const { body } = await server.call('POST', '/api/import?form=reference', { body: lines.join(''), headers });
  const { stored = 0, invalid = 0 } = body as { stored?: number; invalid?: number };
  if (invalid > 0 || stored < 1000) throw new Error(`The store was not filled: ${stored} stored, ${invalid} invalid`);
  return stored;
}
