import { createHash } from 'node:crypto';
import { GLOBAL_NAMESPACE } from '../memory/vocabulary.ts';
import { readDemoLine, type DemoLine, type DemoMemory } from './demo-line.ts';
import { API } from './memories/api.ts';
import { DATA } from './memories/data.ts';
import { DOTFILES } from './memories/dotfiles.ts';
import { GATE } from './memories/gate.ts';
import { GLOBAL } from './memories/global.ts';
import { HOME } from './memories/home.ts';
import { INFRA } from './memories/infra.ts';
import { WEB } from './memories/web.ts';
import { EARLIER_VERSIONS, ARCHIVED } from './demo-history.ts';
import { HOUR_MS } from '../memory/durations.ts';

const MINUTE_MS = 60_000;

/** Invented data: a small software company that sells ferry tickets, and one of its developers. */
const NAMESPACES: Readonly<Record<string, readonly DemoLine[]>> = {
  'kelpwright/api': API,
  'kelpwright/web': WEB,
  'kelpwright/infra': INFRA,
  'kelpwright/gate': GATE,
  'kelpwright/data': DATA,
  dotfiles: DOTFILES,
  home: HOME,
  [GLOBAL_NAMESPACE]: GLOBAL,
};

/** Default namespace of the demo. */
export const DEMO_NAMESPACE = 'kelpwright/api';

/** All memories of the demo with their namespaces. */
export function demoMemories(): readonly (DemoMemory & { readonly namespace: string })[] {
  return Object.entries(NAMESPACES).flatMap(([namespace, lines]) => lines.map((line) => ({ ...readDemoLine(line), namespace })));
}

/** Epoch milliseconds `daysAgo` days before `now`, at that minute of the local day; never later than `now`. */
function instant(now: Date, daysAgo: number, minuteOfDay: number): number {
  const day = new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysAgo, 0, minuteOfDay).getTime();
  // A time later today is moved to the hour before `now`; the order is kept.
  return day < now.getTime() ? day : now.getTime() - HOUR_MS + minuteOfDay * 1000;
}

/** A deterministic UUID of a memory, in the format of UUIDv7. */
function demoId(key: string, at: number): string {
  const hash = createHash('sha256').update(`demo ${key}`).digest('hex');
  const time = Math.floor(at).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hash.slice(0, 3)}-8${hash.slice(3, 6)}-${hash.slice(6, 18)}`;
}

type Placed = ReturnType<typeof demoMemories>[number] & { readonly id: string; readonly at: number };

function entryLine({ id, at, key, content, namespace, container, tags, priority, source }: Placed, now: Date): object {
  const changed = EARLIER_VERSIONS[key]?.at(-1);
  const updatedAt = changed === undefined ? at : instant(now, changed.until, 10 * 60);
  const metadata = { namespace, container, tags, priority, source, timestamp: iso(at), updatedAt: iso(updatedAt) };
  return { id, content, metadata };
}

const iso = (at: number): string => new Date(at).toISOString();

function* relationLines(placed: ReadonlyMap<string, Placed>): Generator<object> {
  for (const { id, at, relations } of placed.values()) {
    for (const { type, to, strength } of relations) {
      const target = placed.get(to);
      if (target === undefined) continue;
      const origin = type === 'similar' || type === 'elaborates' ? 'auto' : 'manual';
      // A relation is created after both of its entries.
      const createdAt = Math.max(at, target.at) + MINUTE_MS;
      yield { relation: { sourceId: id, targetId: target.id, type, strength, createdAt, origin } };
    }
  }
}

function* versionLines(placed: ReadonlyMap<string, Placed>, now: Date): Generator<object> {
  for (const [key, versions] of Object.entries(EARLIER_VERSIONS)) {
    const current = placed.get(key);
    if (current === undefined) continue;
    const { id, namespace, container = namespace, priority, at } = current;
    let writtenAt = at;
    for (const { until, content, tags } of versions) {
      const replacedAt = instant(now, until, 10 * 60);
      const state = { content, tags, priority, namespace, container, importance: 0.5 };
      yield { version: { entryId: id, writtenAt, replacedAt, replacedBy: 'web', state } };
      writtenAt = replacedAt;
    }
  }
}

function* archiveLines(placed: ReadonlyMap<string, Placed>, now: Date): Generator<object> {
  for (const { namespace, content, tags, savedDaysAgo, daysAgo, reason, survivor, similarity } of ARCHIVED) {
    const savedAt = instant(now, savedDaysAgo, 11 * 60);
    const entry = {
      id: demoId(content, savedAt),
      content,
      namespace,
      container: namespace,
      tags,
      priority: 'normal',
      importance: 0.4,
      source: 'mcp',
      createdAt: savedAt,
      updatedAt: savedAt,
      contentHash: createHash('sha256').update(content).digest('hex'),
    };
    const stayed = survivor === undefined ? undefined : placed.get(survivor)?.id;
    const why = stayed === undefined ? {} : { survivor: stayed, similarity };
    yield { archived: { at: instant(now, daysAgo, 3 * 60), reason, run: `demo-${daysAgo}`, ...why, entry, relations: [] } };
  }
}

/** The demo as lines for an import: memories of the 14 months before `now`, their relations, earlier versions and the archive. */
export function demoLines(now = new Date()): readonly object[] {
  const all = demoMemories().map((memory): Placed => {
    const at = instant(now, memory.daysAgo, memory.minuteOfDay);
    return { ...memory, at, id: demoId(memory.key, at) };
  });
  const placed = new Map(all.toSorted((a, b) => a.at - b.at).map((memory) => [memory.key, memory]));
  return [
    ...[...placed.values()].map((memory) => entryLine(memory, now)),
    ...relationLines(placed),
    ...archiveLines(placed, now),
    ...versionLines(placed, now),
  ];
}

/** The demo as JSON Lines. */
export const demoImport = (now?: Date): string =>
  demoLines(now)
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('');
