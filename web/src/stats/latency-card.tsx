import type { Activity, Latency } from '../api/statistics.ts';
import type { Run } from '../api/responses.ts';
import { clockTime, count, counted } from '../parts/formats.ts';
import { statsTexts } from './texts.ts';
import { CardHead } from './card-head.tsx';
import { ChartTable } from './chart-table.tsx';
import { Marks, type Mark } from './marks.tsx';
import { Grid, Plot } from './plot.tsx';
import { commonCeiling, gridValues, lineThrough, roomFor, scaleTo, type Scale } from './scale.ts';

const HEIGHT = 212;
const FIELD = { top: 34, bottom: 184 };
const TICK_Y = HEIGHT - 8;
const MINUTE_MS = 60_000;
const MINUTES = 60;
const PEAK_ROOM = 64;
const TICKS = [0, 15, 30, 45] as const;
/** A longer gap without requests interrupts the line. */
const PAUSE_MS = 3 * MINUTE_MS;

type Minute = Latency['minutes'][number] & { readonly p50: number; readonly p95: number };

interface LatencyCardProps {
  readonly activity: Activity;
  readonly runs: readonly Run[];
  /** Epoch milliseconds. */
  readonly now: number;
}

/** The drawn series and their legend. */
function keysTo(marks: readonly Mark[]): readonly (readonly [string, string])[] {
  const { p50, p95, ran } = statsTexts.latency;
  const isOptimized = marks.some(({ kind }) => kind === 'optimize');
  return [['ln', p50], ['ln ln2', p95], ...(isOptimized ? [['k-tick', ran.optimize] as const] : [])];
}

/** Recall latency in the last hour, with other events on the server. */
export function LatencyCard({ activity, runs, now }: LatencyCardProps) {
  const words = statsTexts.latency;
  const from = (Math.floor(now / MINUTE_MS) - MINUTES + 1) * MINUTE_MS;
  const minutes = activity.latency.minutes.filter((each): each is Minute => each.p50 !== undefined && Date.parse(each.at) >= from);
  const grid = gridValues(commonCeiling(minutes.map(({ p95 }) => p95)), 2);
  const text = (ms: number): string => words.ms(ms);
  const left = roomFor(grid.map(text));
  const x = (moment: number, room: number): number => left + ((moment - from) / (MINUTES * MINUTE_MS)) * (room - left);
  const place = (index: number, room: number): number => x(Date.parse(minutes[index]?.at ?? '') + MINUTE_MS / 2, room);
  const marks = runs
    .map(({ kind, at }): Mark => ({ kind, at: Date.parse(at), text: words.ran[kind] }))
    .filter(({ at }) => at >= from && at <= now + MINUTE_MS);
  const describe = (index: number): readonly string[] => {
    const { at, p50, p95, requests } = minutes[index]!;
    const begun = Date.parse(at);
    const meanwhile = marks.filter((mark) => mark.at >= begun && mark.at < begun + MINUTE_MS).map(({ text: said }) => said);
    return [
      `${words.p50} ${words.ms(p50)}, ${words.p95} ${words.ms(p95)}`,
      `${clockTime(begun)}, ${words.recalls(requests)}`,
      ...new Set(meanwhile),
    ];
  };
  return (
    <section class="card c8" aria-labelledby="latency">
      <CardHead id="latency" title={words.title} keys={keysTo(marks)} note={words.lastHour} />
      <Plot
        label={words.walk}
        height={HEIGHT}
        count={minutes.length}
        place={place}
        describe={describe}
        draw={(room, pointed) => {
          const top = grid.at(-1) ?? 1;
          const scale = scaleTo(top, FIELD);
          const y: Scale = (ms) => scale(Math.min(ms, top));
          return (
            <>
              <Grid values={grid} text={text} y={y} left={left} width={room} />
              <Marks marks={marks} x={(moment) => x(moment, room)} room={room} bottom={FIELD.bottom} />
              <Times from={from} x={(moment) => x(moment, room)} />
              <Lines minutes={minutes} place={(index) => place(index, room)} y={y} pointed={pointed} />
              <Peaks minutes={minutes} above={top} place={(index) => place(index, room)} room={room} />
            </>
          );
        }}
      >
        {minutes.length === 0 && <p class="plot-none">{words.none}</p>}
        <Table minutes={minutes} />
      </Plot>
      {activity.requests?.p50 !== undefined && activity.requests.p95 !== undefined && (
        <p class="dim small">
          {words.all(counted(activity.requests.requests, words.request, words.requests), activity.requests.p50, activity.requests.p95)}
        </p>
      )}
    </section>
  );
}

function Times({ from, x }: { from: number; x: (moment: number) => number }) {
  return (
    <>
      {TICKS.map((minute) => (
        <text key={minute} x={x(from + minute * MINUTE_MS)} y={TICK_Y}>
          {clockTime(from + minute * MINUTE_MS)}
        </text>
      ))}
    </>
  );
}

interface LinesProps {
  readonly minutes: readonly Minute[];
  readonly place: (index: number) => number;
  readonly y: Scale;
  readonly pointed: number | undefined;
}

function Lines({ minutes, place, y, pointed }: LinesProps) {
  const stretches: number[][] = [];
  for (const [index, { at }] of minutes.entries()) {
    const last = stretches.at(-1);
    const before = minutes[index - 1];
    if (last === undefined || before === undefined || Date.parse(at) - Date.parse(before.at) > PAUSE_MS) stretches.push([index]);
    else last.push(index);
  }
  const looked = pointed === undefined ? undefined : minutes[pointed];
  const cursor = pointed === undefined ? 0 : place(pointed);
  return (
    <>
      {(['p95', 'p50'] as const).map((share) =>
        stretches.map((stretch) => {
          const [line, only] = [share === 'p50' ? 'l1' : 'l2', stretch.length === 1 ? stretch[0] : undefined];
          const key = `${share} ${stretch[0]}`;
          // A single minute needs a dot: one point is no line.
          if (only !== undefined)
            return <circle key={key} class={line === 'l1' ? 'f1' : 'l2-alone'} cx={place(only)} cy={y(minutes[only]![share])} r="2.5" />;
          return <path key={key} class={line} d={lineThrough(stretch.map((index) => [place(index), y(minutes[index]![share])]))} />;
        }),
      )}
      {looked !== undefined && (
        <>
          <path class="cur" d={`M${cursor.toFixed(1)} ${FIELD.top - 6}V${FIELD.bottom}`} />
          <circle class="dot" cx={cursor} cy={y(looked.p50)} r="4" />
          <circle class="dot dot2" cx={cursor} cy={y(looked.p95)} r="4" />
        </>
      )}
    </>
  );
}

/** Says the maximum if a line is cut off by the chart. */
function Peaks({
  minutes,
  above,
  place,
  room,
}: {
  minutes: readonly Minute[];
  above: number;
  place: (index: number) => number;
  room: number;
}) {
  const peaks = minutes.flatMap(({ p95 }, index) => {
    const isPeak = p95 > above && p95 >= (minutes[index - 1]?.p95 ?? 0) && p95 > (minutes[index + 1]?.p95 ?? 0);
    return isPeak ? [{ index, p95 }] : [];
  });
  return (
    <>
      {peaks.map(({ index, p95 }) => {
        const x = place(index);
        const isLeft = x > room - PEAK_ROOM;
        return (
          <text key={index} class="peak" x={isLeft ? x - 8 : x + 8} y={FIELD.top + 12} text-anchor={isLeft ? 'end' : 'start'}>
            {statsTexts.latency.ms(p95)}
          </text>
        );
      })}
    </>
  );
}

function Table({ minutes }: { minutes: readonly Minute[] }) {
  const words = statsTexts.latency;
  return (
    <ChartTable
      caption={words.caption}
      heads={[words.minute, words.p50, words.p95, words.asked]}
      rows={minutes.map(({ at, p50, p95, requests }) => [at, clockTime(at), words.ms(p50), words.ms(p95), count(requests)])}
    />
  );
}
