import { go, useAddress } from '../address.ts';
import { figures, type Figures, type GrowthRange } from '../api/statistics.ts';
import { Icon } from '../parts/icon.tsx';
import { Segments } from '../parts/segments.tsx';
import { BoxedFailure, Page } from '../parts/page.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { Paragraph } from '../parts/inline-text.tsx';
import { texts } from '../texts.ts';
import { statsTexts } from './texts.ts';
import '../styles/stats.css';
import { OriginCard } from './breakdown.tsx';
import { CaptureCard } from './capture-card.tsx';
import { GrowthCard } from './growth-card.tsx';
import { LatencyCard } from './latency-card.tsx';
import { RankedBars } from './ranked-bars.tsx';
import { Tiles } from './tiles.tsx';
import { IndexCard, MaintenanceCard } from './maintenance-card.tsx';
import { useDelayed } from '../parts/use-delayed.ts';

const RANGES = ['30d', '12m', 'all'] as const satisfies readonly GrowthRange[];
const NAMESPACES_SHOWN = 7;
const TAGS_SHOWN = 6;
const REFRESH_MS = 10_000;
/** Minimum interval between reloads, however often the store changes. */
const PAUSE_MS = 1_000;

interface NamespaceFigures {
  /** Namespace; empty for all. */
  readonly namespace: string;
  readonly figures: Figures;
}

/** Statistics: size, recall latency, and the state of the store. */
export function StatsView() {
  const { ns, range } = useAddress();
  const load = async (signal: AbortSignal, background: boolean): Promise<NamespaceFigures> => ({
    namespace: ns,
    figures: await figures({ namespace: ns, range }, { background, signal }),
  });
  const loaded = useLoaded(load, { about: JSON.stringify([ns, range]), pauseMs: PAUSE_MS, everyMs: REFRESH_MS });
  const { last, error, again } = loaded;
  // Old figures stay visible until the new ones are loaded or fail to load.
  const shown = error === undefined ? last : loaded.value;
  const words = statsTexts;
  const about = shown?.namespace ?? ns;
  const ranges = last !== undefined && (
    <Segments
      legend={words.range}
      name="range"
      value={range === '' ? last.figures.growth.range : range}
      options={RANGES.map((value) => ({ value, label: words.ranges[value] }))}
      onChoose={(value) => go({ range: value }, { replace: true })}
    />
  );
  return (
    <Page title={texts.views.stats} lead={about === '' ? words.lead : words.leadOf(about)} tools={ranges}>
      {shown !== undefined && <Shown {...shown} />}
      {shown === undefined && error === undefined && <StatsSkeleton />}
      {shown === undefined && error !== undefined && <BoxedFailure error={error} title={words.failed} onRetry={again} />}
    </Page>
  );
}

function Shown({ figures: all, namespace }: NamespaceFigures) {
  const { stats, growth, activity, capture, health, at } = all;
  // A ranking with only one namespace has no information.
  const isOne = stats.storage === undefined;
  return (
    <>
      <Warnings reasons={health.degraded} />
      <Tiles figures={all} />
      <div class="grid">
        <GrowthCard growth={growth} wide={isOne} />
        {!isOne && (
          <RankedBars
            title={statsTexts.byNamespace}
            none={statsTexts.noNamespaces}
            rows={stats.namespaces.map(({ namespace: ns, entries }) => ({ name: ns, entries, to: { ns } }))}
            all={stats.namespaces.length}
            shown={NAMESPACES_SHOWN}
          />
        )}
        <LatencyCard activity={activity} runs={stats.runs ?? []} now={at} />
        <IndexCard stats={stats} />
        <OriginCard stats={stats} namespace={namespace} />
        <RankedBars
          title={statsTexts.topTags}
          none={statsTexts.noTags}
          rows={stats.topTags.map(({ tag, entries }) => ({ name: tag, entries, to: { ns: namespace, tags: [tag] } }))}
          all={stats.tags}
          shown={TAGS_SHOWN}
        />
        <CaptureCard capture={capture} isOdd={!isOne} />
        {stats.runs !== undefined && <MaintenanceCard runs={stats.runs} />}
      </div>
    </>
  );
}

function Warnings({ reasons }: { reasons: readonly string[] }) {
  if (reasons.length === 0) return null;
  return (
    <ul class="banners" aria-label={statsTexts.warnings}>
      {reasons.map((reason) => (
        <li key={reason} class="banner">
          <Icon name="warn" />
          <Paragraph text={reason} />
        </li>
      ))}
    </ul>
  );
}

const CARDS = ['c8', 'c4', 'c8', 'c4'] as const;

/** A skeleton of the statistics; nothing for the first moment. */
function StatsSkeleton() {
  const late = useDelayed();
  if (!late) return null;
  return (
    <>
      <p class="sr" role="status">
        {texts.loading}
      </p>
      <div class="tiles tiles--empty" aria-hidden="true" />
      <div class="grid" aria-hidden="true">
        {CARDS.map((span, index) => (
          <div key={index} class={`card card--empty ${span}`} />
        ))}
      </div>
    </>
  );
}
