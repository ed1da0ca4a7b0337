import type { ComponentChildren } from 'preact';
import { Icon } from '../parts/icon.tsx';
import { Link } from '../parts/link.tsx';
import { useLive } from '../shell/live.tsx';
import { Paragraph, InlineText } from '../parts/inline-text.tsx';
import { dataTexts } from './data-texts.ts';
import { adminTexts } from './texts.ts';
import { Section } from './section.tsx';
import { warningsOf, type Warning, isBehind, isLoopback } from './warnings.ts';
import { counted, fullMoment, shortDay, size } from '../parts/formats.ts';
import type { LiveState } from '../shell/live-feed.ts';
import type { Job } from '../api/responses.ts';
import { texts } from '../texts.ts';
import { Button } from '../parts/button.tsx';
import type { Overview } from './use-overview.ts';

interface HealthProps {
  readonly overview: Overview;
  readonly isBackingUp: boolean;
  readonly onBackUp: () => void;
}

/** The state of the store: warnings first, then a row for each part. */
export function HealthSection({ overview, isBackingUp, onBackUp }: HealthProps) {
  const warnings = warningsOf(overview);
  const { state } = useLive();
  return (
    <Section part="health">
      {warnings.length > 0 && (
        <ul class="banners" aria-label={adminTexts.warnings.label}>
          {warnings.map((warning) => (
            <Banner key={warning.title + warning.text} warning={warning}>
              <Action warning={warning} mayBackUp={overview.mayAdminister} isBackingUp={isBackingUp} onBackUp={onBackUp} />
            </Banner>
          ))}
        </ul>
      )}
      <ul class="box lined checks">
        {healthRows(overview, state).map(({ name, tone, state: word, detail }) => (
          <li key={name}>
            <b>{name}</b>
            <span class={tone === 'ok' ? 'status' : `status status--${tone}`}>{word}</span>
            <span class="dim breaks">
              <InlineText text={detail} />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Banner({ warning, children }: { warning: Warning; children: ComponentChildren }) {
  return (
    <li class="banner">
      <Icon name="warn" />
      <div>
        <b>{warning.title}</b>
        {warning.text !== '' && <Paragraph text={warning.text} />}
      </div>
      {children}
    </li>
  );
}

interface ActionProps {
  readonly warning: Warning;
  readonly mayBackUp: boolean;
  readonly isBackingUp: boolean;
  readonly onBackUp: () => void;
}

function Action({ warning: { action }, mayBackUp, isBackingUp, onBackUp }: ActionProps) {
  if (action === undefined) return null;
  if ('to' in action) {
    return (
      <Link class="btn" to={{ view: 'admin', part: action.to }}>
        {action.to === 'keys' && <Icon name="key" />}
        {action.label}
      </Link>
    );
  }
  if (!mayBackUp) return null;
  return <Button icon="archive" label={isBackingUp ? dataTexts.backup.working : action.label} disabled={isBackingUp} onClick={onBackUp} />;
}

interface HealthRow {
  readonly name: string;
  readonly tone: 'ok' | 'warn' | 'bad' | 'off';
  readonly state: string;
  readonly detail: string;
}

const words = adminTexts.health;
/** Jobs with their own rows. */
const PLANNED: ReadonlySet<Job['name']> = new Set(['backup', 'compaction']);

/** One row for each part of the store that the key may see. */
function healthRows(overview: Overview, live: LiveState): readonly HealthRow[] {
  const rows = [
    storeRow(overview),
    vectorsRow(overview),
    indexRow(overview),
    jobsRow(overview),
    accessRow(overview),
    liveRow(live),
    captureRow(overview),
  ];
  return rows.filter((row) => row !== undefined);
}

function storeRow({ health }: Overview): HealthRow {
  const { stats, storage, degraded, maintenance, migration, key } = health;
  const memories = counted(stats.totalEntries, texts.memory, texts.memories);
  // The size counts all namespaces.
  const detail = key.namespace === undefined ? `${memories}, ${size(storage.bytes)}` : memories;
  // The progress of a migration is shown with the vectors.
  const isIdle = maintenance === 'idle' || migration !== undefined;
  const tone = degraded.length > 0 ? 'warn' : 'ok';
  const state = degraded.length > 0 ? words.attention : isIdle ? words.healthy : words.busy;
  return { name: words.store, tone, state, detail: isIdle ? detail : `${detail}; ${maintenance}` };
}

function vectorsRow({ health: { embedder, migration } }: Overview): HealthRow {
  const percent = embedder.progress === undefined ? '' : `, ${Math.round(embedder.progress * 100)} %`;
  const detail = `${embedder.model}, ${embedder.provider}${percent}`;
  const { states } = words;
  if (migration !== undefined) {
    const progress = dataTexts.reembed.done(migration.done, migration.total);
    return { name: words.vectors, tone: 'warn', state: words.reembedding, detail: `${detail}; ${progress}` };
  }
  if (embedder.standsInFor !== undefined) return { name: words.vectors, tone: 'warn', state: words.fallback, detail };
  const tone = embedder.state === 'failed' ? 'bad' : embedder.state === 'ready' || embedder.state === 'idle' ? 'ok' : 'warn';
  return { name: words.vectors, tone, state: states[embedder.state], detail };
}

function indexRow({ stats }: Overview): HealthRow | undefined {
  if (stats?.storage === undefined) return undefined;
  const { unindexedRows } = stats.storage;
  const isLagging = isBehind(stats.storage);
  return {
    name: words.index,
    tone: isLagging ? 'warn' : 'ok',
    state: isLagging ? words.behind : words.upToDate,
    detail: unindexedRows === 0 ? words.allIndexed : words.fresh(unindexedRows),
  };
}

/** Background jobs: failing ones, else running ones, else the next one. */
function jobsRow({ stats }: Overview): HealthRow | undefined {
  if (stats?.jobs === undefined) return undefined;
  const name = words.jobs;
  const failing = stats.jobs.filter(({ failedInARow }) => failedInARow > 0);
  if (failing.length > 0) {
    const detail = failing.map((job) => words.jobFailed(words.jobNames[job.name], job.failedInARow, job.error)).join('; ');
    return { name, tone: 'warn', state: words.failing, detail };
  }
  const running = stats.jobs.filter(({ state, waiting = 0 }) => state === 'running' || waiting > 0);
  const detail = running.map((job) => words.jobWork(words.jobNames[job.name], job.waiting ?? 0)).join('; ');
  return { name, tone: 'ok', state: running.length > 0 ? words.busy : words.quiet, detail: detail === '' ? nextOf(stats.jobs) : detail };
}

/** The next backup or compaction. Jobs that run every few seconds are not shown. */
function nextOf(jobs: readonly Job[]): string {
  const [first] = jobs
    .flatMap(({ name, nextRunAt }) => (nextRunAt === undefined || !PLANNED.has(name) ? [] : [{ name, at: nextRunAt }]))
    .toSorted((a, b) => new Date(a.at).getTime() - new Date(b.at).getTime());
  return first === undefined ? words.nothingPlanned : words.nextJob(words.jobNames[first.name], fullMoment(first.at));
}

function accessRow({ settings }: Overview): HealthRow | undefined {
  if (settings === undefined) return undefined;
  const { keyRequired, host, everyOrigin } = settings.access;
  const local = isLoopback(host);
  return {
    name: words.access,
    tone: keyRequired || (local && !everyOrigin) ? 'ok' : 'warn',
    state: keyRequired ? words.keyed : words.open,
    detail: local ? words.loopback(keyRequired) : words.network(host, keyRequired),
  };
}

const LIVE_TONES = { connecting: 'off', live: 'ok', reconnecting: 'warn', paused: 'off', off: 'off' } as const satisfies Record<
  LiveState,
  HealthRow['tone']
>;

const liveRow = (live: LiveState): HealthRow => ({
  name: words.live,
  tone: LIVE_TONES[live],
  state: texts.live.states[live],
  detail: texts.live.explained[live],
});

function captureRow({ health, capture }: Overview): HealthRow {
  const enabled = capture?.enabled ?? health.stats.autoCapture;
  if (!enabled) return { name: words.capture, tone: 'off', state: words.off, detail: words.captureOff };
  const detail =
    capture === undefined
      ? adminTexts.rights.unknown
      : words.captured(capture.kept, capture.refused, capture.since === undefined ? undefined : shortDay(capture.since));
  return { name: words.capture, tone: 'ok', state: words.on, detail };
}
