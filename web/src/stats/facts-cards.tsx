import { Fragment, type ComponentChildren } from 'preact';
import type { HealthAnswer, Stats } from '../api/forms.ts';
import { bytes, count } from '../parts/formats.ts';
import { texts } from '../texts.ts';

function FactsCard({
  title,
  status,
  rows,
}: {
  title: string;
  status: ComponentChildren;
  rows: readonly (readonly [string, ComponentChildren])[];
}) {
  return (
    <section class="card c4">
      <header class="card-h">
        <h2>{title}</h2>
        {status}
      </header>
      <dl class="kv">
        {rows.map(([name, value], row) => (
          <Fragment key={row}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </Fragment>
        ))}
      </dl>
    </section>
  );
}

const size = (number: number): string => {
  const { value, unit } = bytes(number);
  return `${value} ${unit}`;
};

/** The model and the index: what serves, and how much of the store it covers. */
export function IndexCard({ stats }: { stats: Stats }) {
  const { embedder, storage, vectors } = stats;
  const { index } = texts.stats;
  const ready = embedder.state === 'ready' || embedder.state === 'idle';
  const progress = embedder.progress === undefined ? '' : `, ${Math.round(embedder.progress * 100)} %`;
  return (
    <FactsCard
      title={index.title}
      status={<span class={ready ? 'status' : 'status status--warn'}>{`${index.states[embedder.state]}${progress}`}</span>}
      rows={[
        [index.embedder, `${embedder.model}, ${embedder.provider}`],
        ...(embedder.standsInFor === undefined ? [] : [[index.standsInFor, embedder.standsInFor] as const]),
        [index.dimensions, count(embedder.dimensions)],
        [index.indexed, index.indexedOf(storage.indexedRows, storage.indexedRows + storage.unindexedRows)],
        [index.unindexed, index.rows(storage.unindexedRows)],
        [index.fragments, count(storage.fragments)],
        [index.version, count(storage.tableVersion)],
        [index.disk, size(storage.bytes)],
        ...vectors.map(({ embedder: name, entries }) => [index.vectors, `${count(entries)}, ${name}`] as const),
      ]}
    />
  );
}

/** The process that serves. */
export function ServerCard({ stats, health }: { stats: Stats; health: HealthAnswer }) {
  const { server } = texts.stats;
  const warnings = health.degraded.length;
  return (
    <FactsCard
      title={server.title}
      status={
        <span class={warnings === 0 ? 'status' : 'status status--warn'}>
          {warnings === 0 ? server.healthy : texts.server.warnings(warnings)}
        </span>
      }
      rows={[
        [server.version, health.version],
        [server.storage, health.config.storageType],
        [server.namespace, health.config.namespace],
        [server.memories, count(stats.total)],
        [server.maintenance, health.maintenance === 'idle' ? server.idle : health.maintenance],
        [server.rss, size(health.rss)],
        [server.capture, health.stats.autoCapture ? server.on : server.off],
      ]}
    />
  );
}
