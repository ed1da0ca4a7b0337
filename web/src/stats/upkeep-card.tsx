import { useState } from 'preact/hooks';
import type { Run } from '../api/forms.ts';
import { fullMoment } from '../parts/formats.ts';
import { texts } from '../texts.ts';
import { statsTexts } from './texts.ts';
import { momentText } from './calendar.ts';
import { Scroller } from './scroller.tsx';

/** The latest maintenance run of each kind, or all known runs. */
export function UpkeepCard({ runs }: { runs: readonly Run[] }) {
  const [all, setAll] = useState(false);
  const words = statsTexts.upkeep;
  const last = runs.filter((run, index) => runs.findIndex(({ kind }) => kind === run.kind) === index);
  return (
    <section class="card c12" aria-labelledby="upkeep">
      <header class="card-h">
        <h2 id="upkeep">{words.title}</h2>
        {runs.length > last.length ? (
          <button type="button" class="btn btn--quiet btn--sm" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? words.latest : words.all(runs.length)}
          </button>
        ) : (
          <span class="dim">{words.lastRuns}</span>
        )}
      </header>
      {runs.length === 0 ? (
        <p class="dim small">{words.none}</p>
      ) : (
        <Scroller label={words.lastRuns}>
          <table class="table runs">
            <thead>
              <tr>
                <th scope="col">{words.run}</th>
                <th scope="col">{words.when}</th>
                <th scope="col">{words.took}</th>
                <th scope="col">{words.result}</th>
                <th scope="col">
                  <span class="sr">{words.state}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {(all ? runs : last).map((run) => (
                <Row key={`${run.kind} ${run.at}`} run={run} />
              ))}
            </tbody>
          </table>
        </Scroller>
      )}
    </section>
  );
}

function Row({ run: { kind, at, ms, state, error, result } }: { run: Run }) {
  const words = statsTexts.upkeep;
  return (
    <tr>
      <td>{words.kinds[kind]}</td>
      <td>
        <time dateTime={at} title={fullMoment(at)}>
          {momentText(at, words)}
        </time>
      </td>
      <td class="num">{ms === undefined ? words.unknown : texts.ms(ms)}</td>
      <td>{error ?? words.results[kind](result)}</td>
      <td>
        <span class={state === 'done' ? 'status' : 'status status--bad'}>{words.states[state]}</span>
      </td>
    </tr>
  );
}
