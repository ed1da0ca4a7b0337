import { useEffect, useState } from 'preact/hooks';
import { ApiError, health, stats } from '../api/client.ts';
import type { HealthAnswer, Stats } from '../api/forms.ts';
import { Icon } from '../parts/icon.tsx';
import { Failure } from '../parts/state.tsx';
import { useServer } from '../shell/server.tsx';
import { texts } from '../texts.ts';
import { Breakdown } from './breakdown.tsx';
import { DayChart } from './day-chart.tsx';
import { IndexCard, ServerCard } from './facts-cards.tsx';
import { RankedBars } from './ranked-bars.tsx';
import { Tiles } from './tiles.tsx';

interface Loaded {
  readonly stats: Stats;
  readonly health: HealthAnswer;
}

function useFigures() {
  const { version } = useServer();
  const [loaded, setLoaded] = useState<Loaded>();
  const [error, setError] = useState<ApiError>();
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const leaving = new AbortController();
    Promise.all([stats(leaving.signal), health({ signal: leaving.signal })]).then(
      ([allStats, answer]) => {
        setLoaded({ stats: allStats, health: answer });
        setError(undefined);
      },
      (failure: unknown) => {
        if (leaving.signal.aborted) return;
        if (!(failure instanceof ApiError)) throw failure;
        setError(failure);
      },
    );
    return () => leaving.abort();
  }, [version, attempt]);
  return { loaded, error, again: () => setAttempt((before) => before + 1) };
}

/** What is remembered and how the store is. */
export function StatsView() {
  const { loaded, error, again } = useFigures();
  useEffect(() => {
    document.title = texts.title(texts.views.stats);
  }, []);
  return (
    <div class="page">
      <header class="page-h">
        <div>
          <h1>{texts.stats.title}</h1>
          <p>{texts.stats.lead}</p>
        </div>
        <button type="button" class="btn" onClick={again}>
          <Icon name="refresh" />
          {texts.stats.refresh}
        </button>
      </header>
      {error !== undefined && (
        <div class="box">
          <Failure error={error} title={texts.stats.failed} onRetry={again} />
        </div>
      )}
      {error === undefined && loaded !== undefined && <Figures {...loaded} />}
    </div>
  );
}

function Figures({ stats: all, health: answer }: Loaded) {
  return (
    <>
      {answer.degraded.length > 0 && (
        <ul class="banners" aria-label={texts.stats.warnings}>
          {answer.degraded.map((reason) => (
            <li key={reason} class="banner">
              <Icon name="warn" />
              <p>{reason}</p>
            </li>
          ))}
        </ul>
      )}
      <Tiles stats={all} health={answer} />
      <div class="grid">
        <section class="card c8" aria-labelledby="per-day">
          <header class="card-h">
            <h2 id="per-day">{texts.stats.perDay}</h2>
            <span class="dim">{texts.stats.lastDays(all.perDay.length)}</span>
          </header>
          <DayChart days={all.perDay} />
        </section>
        <IndexCard stats={all} />
        <Breakdown title={texts.stats.bySource} parts={all.bySource} names={texts.sources} />
        <Breakdown title={texts.stats.byPriority} parts={all.byPriority} names={texts.priorities} priority />
        <RankedBars
          title={texts.stats.byNamespace}
          none={texts.stats.noNamespaces}
          rows={all.namespaces.map(({ namespace, entries }) => ({ name: namespace, entries, to: { ns: namespace } }))}
        />
        <RankedBars
          title={texts.stats.topTags}
          none={texts.stats.noTags}
          rows={all.topTags.map(({ tag, entries }) => ({ name: tag, entries, to: { tags: [tag] } }))}
        />
        <ServerCard stats={all} health={answer} />
      </div>
    </>
  );
}
