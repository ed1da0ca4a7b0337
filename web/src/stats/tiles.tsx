import type { Figures } from '../api/statistics.ts';
import { ago, bytes, count } from '../parts/formats.ts';
import { statsTexts } from './texts.ts';

const WEEK_DAYS = 7;

interface TileProps {
  readonly name: string;
  readonly value: string;
  readonly unit?: string;
  readonly note: string;
}

export function Tiles({ figures }: { figures: Figures }) {
  return (
    <dl class="tiles">
      <Tile {...memoriesTile(figures)} />
      <Tile {...latencyTile(figures)} />
      <Tile {...recallsTile(figures)} />
      <Tile {...diskTile(figures)} />
    </dl>
  );
}

function memoriesTile({ stats, lately, health }: Figures): TileProps {
  const { memories, memoriesNote, memoriesHere } = statsTexts.tiles;
  const week = lately.points.slice(-WEEK_DAYS).reduce((sum, { saved }) => sum + saved, 0);
  // A key of one namespace does not see global entries.
  const isWhole = stats.storage !== undefined;
  return {
    name: memories,
    value: count(stats.total),
    note: isWhole ? memoriesNote(count(week), count(health.stats.globalEntries)) : memoriesHere(count(week)),
  };
}

function latencyTile({ activity: { latency } }: Figures): TileProps {
  const { latency: name, latencyNote, latencyNone, none } = statsTexts.tiles;
  if (latency.p50 === undefined || latency.p95 === undefined) return { name, value: none, note: latencyNone };
  const [value = '', unit = ''] = statsTexts.latency.ms(latency.p50).split(' ');
  return { name, value, unit, note: latencyNote(statsTexts.latency.ms(latency.p95)) };
}

function recallsTile({ activity: { today, since } }: Figures): TileProps {
  const { recalls, found, byPage, noRecalls, since: sinceText } = statsTexts.tiles;
  const { web = { recalls: 0, answered: 0 } } = today.bySource;
  // Opening a memory on this page does not count as a recall by an agent.
  const [asked, answered] = [today.recalls - web.recalls, today.answered - web.answered];
  const startedToday = new Date(since).toDateString() === new Date().toDateString();
  const notes = [
    asked === 0 ? (startedToday ? '' : noRecalls) : found(Math.round((answered / asked) * 100)),
    web.recalls > 0 ? byPage(count(web.recalls)) : '',
    startedToday ? sinceText(since) : '',
  ];
  return {
    name: recalls,
    value: count(asked),
    note: notes.filter((note) => note !== '').join(', '),
  };
}

function diskTile({ stats, health }: Figures): TileProps {
  const { disk, backup, justNow, noBackup, tags, tagsNote } = statsTexts.tiles;
  if (stats.storage === undefined) return { name: tags, value: count(stats.tags), note: tagsNote };
  const { value, unit } = bytes(stats.storage.bytes);
  const { lastBackup } = health;
  return { name: disk, value, unit, note: lastBackup === undefined ? noBackup : backup(ago(lastBackup.createdAt) ?? justNow) };
}

function Tile({ name, value, unit, note }: TileProps) {
  return (
    <div class="tile">
      <dt class="small ink2">{name}</dt>
      <dd>
        <b>
          {value}
          {unit !== undefined && <small> {unit}</small>}
        </b>
        <span class="hint">{note}</span>
      </dd>
    </div>
  );
}
