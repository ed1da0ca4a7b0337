import { useState } from 'preact/hooks';
import type { Run, Stats } from '../api/responses.ts';
import { ago, count, counted, modelName } from '../parts/formats.ts';
import { TableBox } from '../parts/table-box.tsx';
import { Moment } from '../parts/moment.tsx';
import { texts, memories, memory } from '../texts.ts';
import { statsTexts } from './texts.ts';
import { momentText } from './calendar.ts';
import { KeyValues, type Row } from '../parts/key-values.tsx';
import { Button } from '../parts/button.tsx';

/** The latest maintenance run of each kind, or all known runs. */
export function MaintenanceCard({ runs }: { runs: readonly Run[] }) {
  const [all, setAll] = useState(false);
  const words = statsTexts.maintenance;
  const last = runs.filter((run, index) => runs.findIndex(({ kind }) => kind === run.kind) === index);
  return (
    <section class="card c12" aria-labelledby="maintenance">
      <header class="row row--wrap card-h">
        <h2 id="maintenance">{words.title}</h2>
        {runs.length > last.length ? (
          <Button look="quiet sm" label={all ? words.latest : words.all(runs.length)} aria-expanded={all} onClick={() => setAll(!all)} />
        ) : (
          <span class="dim">{words.lastRuns}</span>
        )}
      </header>
      {runs.length === 0 ? (
        <p class="dim small">{words.none}</p>
      ) : (
        <TableBox
          class="runs"
          box=""
          label={words.lastRuns}
          columns={[words.run, words.when, words.took, words.result]}
          actions={words.state}
        >
          {(all ? runs : last).map((run) => (
            <Row key={`${run.kind} ${run.at}`} run={run} />
          ))}
        </TableBox>
      )}
    </section>
  );
}

function Row({ run: { kind, at, ms, state, error, result } }: { run: Run }) {
  const words = statsTexts.maintenance;
  return (
    <tr>
      <td>{words.kinds[kind]}</td>
      <td>
        <Moment of={at}>{momentText(at, words)}</Moment>
      </td>
      <td class="num">{ms === undefined ? words.unknown : texts.ms(ms)}</td>
      <td>{error ?? words.results[kind](result)}</td>
      <td>
        <span class={state === 'done' ? 'status' : 'status status--bad'}>{words.states[state]}</span>
      </td>
    </tr>
  );
}

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
      <header class="row row--wrap card-h">
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
      <Moment key="at" of={last.at}>
        {ago(last.at) ?? index.justNow}
      </Moment>,
    ],
  ];
}

/** Shown while the vectors of one model are replaced by those of another. */
function Models({ vectors }: Pick<Stats, 'vectors'>) {
  return (
    <ul>
      {vectors.map(({ embedder, entries }) => (
        <li key={embedder}>{statsTexts.index.model(modelName(embedder), count(entries))}</li>
      ))}
    </ul>
  );
}
