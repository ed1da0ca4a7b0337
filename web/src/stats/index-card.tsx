import type { Stats } from '../api/forms.ts';
import { ago, count, counted, fullMoment } from '../parts/formats.ts';
import { KeyValues, type Row } from '../parts/key-values.tsx';
import { memories, memory } from '../texts.ts';
import { statsTexts } from './texts.ts';

/** The model and the vector index: what is active, and how much of the store it covers. */
export function IndexCard({ stats }: { stats: Stats }) {
  const { embedder, pendingVectors, storage, vectors } = stats;
  const { index } = statsTexts;
  const rows: readonly Row[] = [
    [index.embedder, `${embedder.model}, ${embedder.provider}`],
    ...(embedder.standsInFor === undefined ? [] : [[index.standsInFor, embedder.standsInFor] as const]),
    ...(storage === undefined
      ? []
      : [[index.indexed, index.indexedOf(storage.indexedRows, storage.indexedRows + storage.unindexedRows)] as const]),
    [index.pending, counted(pendingVectors, memory, memories)],
    ...optimizedRows(stats),
    ...(vectors.length < 2 ? [] : [[index.models, <Models key="models" vectors={vectors} />] as const]),
  ];
  return (
    <section class="card c4" aria-labelledby="index">
      <header class="card-h">
        <h2 id="index">{index.title}</h2>
        <Status stats={stats} />
      </header>
      <KeyValues rows={rows} />
    </section>
  );
}

function Status({ stats: { embedder, pendingVectors } }: { stats: Stats }) {
  const { index } = statsTexts;
  const { state, progress } = embedder;
  if (state === 'ready' || state === 'idle') {
    if (pendingVectors === 0) return <span class="status">{index.upToDate}</span>;
    return <span class="status status--warn">{index.behind}</span>;
  }
  const share = progress === undefined ? '' : `, ${Math.round(progress * 100)} %`;
  return <span class="status status--warn">{`${index.states[state]}${share}`}</span>;
}

function optimizedRows({ runs }: Stats): readonly Row[] {
  if (runs === undefined) return [];
  const { index } = statsTexts;
  const last = runs.find(({ kind, state }) => kind === 'optimize' && state === 'done');
  if (last === undefined) return [[index.optimized, index.notYet]];
  return [
    [
      index.optimized,
      <time key="at" dateTime={last.at} title={fullMoment(last.at)}>
        {ago(last.at) ?? index.justNow}
      </time>,
    ],
  ];
}

/** Shown while the vectors of one model are replaced by those of another. */
function Models({ vectors }: Pick<Stats, 'vectors'>) {
  return (
    <ul>
      {vectors.map(({ embedder, entries }) => (
        <li key={embedder}>{statsTexts.index.model(embedder, count(entries))}</li>
      ))}
    </ul>
  );
}
