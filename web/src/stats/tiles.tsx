import type { HealthAnswer, Stats } from '../api/forms.ts';
import { bytes, count } from '../parts/formats.ts';
import { texts } from '../texts.ts';

const WEEK_DAYS = 7;

/** The four numbers on top. */
export function Tiles({ stats, health }: { stats: Stats; health: HealthAnswer }) {
  const month = stats.perDay.reduce((sum, { entries }) => sum + entries, 0);
  const week = stats.perDay.slice(-WEEK_DAYS).reduce((sum, { entries }) => sum + entries, 0);
  const containers = new Set(stats.namespaces.flatMap((one) => one.containers.map((container) => `${one.namespace}\n${container}`))).size;
  const disk = bytes(stats.storage.bytes);
  const { tiles } = texts.stats;
  return (
    <dl class="tiles">
      <Tile name={tiles.memories} value={count(stats.total)} note={tiles.memoriesNote(week, health.stats.globalEntries)} />
      <Tile name={tiles.month} value={count(month)} note={tiles.monthNote(stats.perDay.length === 0 ? 0 : month / stats.perDay.length)} />
      <Tile name={tiles.namespaces} value={count(stats.namespaces.length)} note={tiles.namespacesNote(containers)} />
      <Tile
        name={tiles.disk}
        value={disk.value}
        unit={disk.unit}
        note={tiles.diskNote(stats.total === 0 ? 0 : stats.storage.bytes / stats.total)}
      />
    </dl>
  );
}

function Tile({ name, value, unit, note }: { name: string; value: string; unit?: string; note: string }) {
  return (
    <div class="tile">
      <dt>{name}</dt>
      <dd>
        <b>
          {value}
          {unit !== undefined && <small>{unit}</small>}
        </b>
        <span>{note}</span>
      </dd>
    </div>
  );
}
