import type { CaptureStats } from '../api/statistics.ts';
import { count, counted } from '../parts/formats.ts';
import { texts } from '../texts.ts';
import { statsTexts } from './texts.ts';
import { CardHead } from './card-head.tsx';
import { ChartTable } from './chart-table.tsx';
import { dayText } from './calendar.ts';
import { Plot } from './plot.tsx';
import { scaleTo } from './scale.ts';

const HEIGHT = 132;
const FIELD = { top: 10, bottom: 110 };
const TICK_Y = HEIGHT - 6;
const DAYS = 14;
const REASONS_SHOWN = 3;
const GAP = 1.5;

type Day = CaptureStats['perDay'][number];

interface CaptureCardProps {
  readonly capture: CaptureStats;
  /** Whether the card uses the full width. */
  readonly isOdd: boolean;
}

/** How many events of agents' hooks were stored and refused, and why. */
export function CaptureCard({ capture, isOdd }: CaptureCardProps) {
  const words = statsTexts.capture;
  const days = capture.perDay.slice(-DAYS);
  const [kept, refused] = [days.reduce((sum, day) => sum + day.kept, 0), days.reduce((sum, day) => sum + day.refused, 0)];
  return (
    <section class={isOdd ? 'card c4 c-odd' : 'card c4'} aria-labelledby="capture">
      <CardHead
        id="capture"
        title={words.title}
        keys={
          kept + refused === 0
            ? []
            : [
                ['f1', `${words.kept} ${count(kept)}`],
                ['f0', `${words.refused} ${count(refused)}`],
              ]
        }
      />
      {kept + refused === 0 ? (
        <p class="dim small">{noneText(capture)}</p>
      ) : (
        <>
          <Chart days={days} />
          <p class="dim small">{refused === 0 ? words.noneRefused : words.why(reasonsOf(days))}</p>
        </>
      )}
    </section>
  );
}

function noneText({ enabled, kept, refused }: CaptureStats): string {
  const { off, none, quiet } = statsTexts.capture;
  if (kept + refused > 0) return quiet(DAYS, count(kept), count(refused));
  return enabled ? none : off;
}

/** The most frequent reasons, and the others together. */
function reasonsOf(days: readonly Day[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { byReason } of days) {
    for (const [reason, times] of Object.entries(byReason)) counts.set(reason, (counts.get(reason) ?? 0) + times);
  }
  const ranked = [...counts].filter(([, times]) => times > 0).toSorted(([, a], [, b]) => b - a);
  const named = ranked.slice(0, ranked.length > REASONS_SHOWN + 1 ? REASONS_SHOWN : ranked.length);
  const rest = ranked.slice(named.length).reduce((sum, [, times]) => sum + times, 0);
  const { reasons, other } = statsTexts.capture;
  const said = named.map(
    ([reason, times]) => `${count(times)} ${Object.hasOwn(reasons, reason) ? reasons[reason as keyof typeof reasons] : reason}`,
  );
  return rest > 0 ? [...said, `${count(rest)} ${other}`] : said;
}

function Chart({ days }: { days: readonly Day[] }) {
  const words = statsTexts.capture;
  const y = scaleTo(Math.max(...days.map(({ kept, refused }) => kept + refused), 1), FIELD);
  const place = (index: number, room: number): number => ((index + 0.5) / days.length) * room;
  const describe = (index: number): readonly string[] => {
    const { day, kept, refused } = days[index]!;
    return [`${count(kept)} ${words.keptLower}, ${count(refused)} ${words.refusedLower}`, dayText(day)];
  };
  const draw = (room: number, pointed: number | undefined) => (
    <>
      {days.map(({ day, kept, refused }, index) => {
        const step = room / days.length;
        const [x, column] = [place(index, room) - step * 0.34, step * 0.68];
        const split = y(kept);
        return (
          <g key={day} class={pointed === undefined || pointed === index ? undefined : 'f-soft'}>
            {kept > 0 && <rect class="f1" x={x} y={split} width={column} height={FIELD.bottom - split} rx="1.5" />}
            {refused > 0 && (
              <rect class="f0" x={x} y={y(kept + refused)} width={column} height={Math.max(split - y(kept + refused) - GAP, 1)} rx="1.5" />
            )}
          </g>
        );
      })}
      <path class="ax" d={`M0 ${FIELD.bottom + 0.5}H${room}`} />
      <text x="0" y={TICK_Y}>
        {dayText(days[0]!.day)}
      </text>
      <text x={room} y={TICK_Y} text-anchor="end">
        {dayText(days.at(-1)!.day)}
      </text>
    </>
  );
  return (
    <Plot label={words.walk} height={HEIGHT} count={days.length} place={place} describe={describe} draw={draw}>
      <ChartTable
        caption={words.caption}
        heads={[words.day, words.kept, words.refused]}
        rows={days.map(({ day, kept, refused }) => [day, dayText(day), counted(kept, texts.memory, texts.memories), count(refused)])}
      />
    </Plot>
  );
}
