import { useMemo } from 'preact/hooks';
import type { Growth } from '../api/statistics.ts';
import { count, counted } from '../parts/formats.ts';
import { texts } from '../texts.ts';
import { statsTexts } from './texts.ts';
import { CardHead } from './card-head.tsx';
import { ChartTable } from './chart-table.tsx';
import { stepText, ticksOf } from './calendar.ts';
import { Grid, Plot } from './plot.tsx';
import { gridValues, lineThrough, roomFor, scaleTo } from './scale.ts';

const HEIGHT = 256;
/** Scale of the total line. */
const AREA = { top: 14, bottom: 168 };
/** Scale of the columns per step. */
const LANE = { top: 186, bottom: 226 };
const TICK_Y = HEIGHT - 8;
const TICK_ROOM = 64;
const MAX_COLUMN = 26;

/** The number of memories over time, and how many were added per day, week or month. */
export function GrowthCard({ growth, wide }: { growth: Growth; wide: boolean }) {
  const { points, step } = growth;
  const words = statsTexts.growth;
  const grid = useMemo(() => gridValues(points.at(-1)?.total ?? 0), [growth]);
  const left = roomFor(grid.map(count));
  const width = (room: number): number => room - left;
  const place = (index: number, room: number): number => left + ((index + 0.5) / points.length) * width(room);
  const describe = (index: number): readonly string[] => {
    const { day, saved, total } = points[index]!;
    return [counted(total, texts.memory, texts.memories), `${stepText(day, step, words)}, +${count(saved)}`];
  };
  return (
    <section class={wide ? 'card c12' : 'card c8'} aria-labelledby="growth">
      <CardHead
        id="growth"
        title={words.title}
        keys={[
          ['ln', words.total],
          ['f1 f-soft', words.saved[step]],
        ]}
      />
      <Plot
        label={words.walk}
        height={HEIGHT}
        count={points.length}
        place={place}
        describe={describe}
        draw={(room, pointed) => <Drawing growth={growth} grid={grid} left={left} room={room} place={place} pointed={pointed} />}
      >
        {points.at(-1)?.total === 0 && <p class="plot-none">{words.none}</p>}
        <GrowthTable growth={growth} />
      </Plot>
      <p class="dim small">{words.caption}.</p>
    </section>
  );
}

function GrowthTable({ growth: { points, step } }: { growth: Growth }) {
  const words = statsTexts.growth;
  return (
    <ChartTable
      caption={words.caption}
      heads={[words.step[step], words.saved[step], words.total]}
      rows={points.map(({ day, saved, total }) => [day, stepText(day, step, words), count(saved), count(total)])}
    />
  );
}

interface DrawingProps {
  readonly growth: Growth;
  readonly grid: readonly number[];
  readonly left: number;
  readonly room: number;
  readonly place: (index: number, room: number) => number;
  readonly pointed: number | undefined;
}

function Drawing({ growth, grid, left, room, place, pointed }: DrawingProps) {
  const { points } = growth;
  const y = scaleTo(grid.at(-1) ?? 1, AREA);
  const line = points.map(({ total }, index) => [place(index, room), y(total)] as const);
  const [first, last] = [line[0], line.at(-1)];
  const at = pointed === undefined ? undefined : line[pointed];
  return (
    <>
      <Grid values={grid} text={count} y={y} left={left} width={room} />
      {first !== undefined && last !== undefined && (
        <>
          <path class="a1" d={`${lineThrough(line)}L${last[0].toFixed(1)} ${AREA.bottom}L${first[0].toFixed(1)} ${AREA.bottom}Z`} />
          <path class="l1" d={lineThrough(line)} />
        </>
      )}
      <Columns growth={growth} left={left} room={room} place={place} pointed={pointed} />
      {ticksOf(growth, Math.floor((room - left) / TICK_ROOM)).map(({ index, text }) => {
        const x = place(index, room);
        const end = x + TICK_ROOM / 2 > room;
        return (
          <text key={index} x={end ? room : x} y={TICK_Y} text-anchor={end ? 'end' : 'middle'}>
            {text}
          </text>
        );
      })}
      {at !== undefined && (
        <>
          <path class="cur" d={`M${at[0].toFixed(1)} ${AREA.top - 6}V${LANE.bottom}`} />
          <circle class="dot" cx={at[0]} cy={at[1]} r="4" />
        </>
      )}
    </>
  );
}

function Columns({ growth: { points }, left, room, place, pointed }: Omit<DrawingProps, 'grid'>) {
  const most = Math.max(...points.map(({ saved }) => saved), 1);
  const y = scaleTo(most, LANE);
  const step = (room - left) / Math.max(points.length, 1);
  const column = Math.min(Math.max(step - Math.min(step * 0.3, 6), 1), MAX_COLUMN);
  return (
    <>
      <path class="ax" d={`M${left} ${LANE.bottom}H${room}`} />
      {points.map(({ day, saved }, index) => {
        if (saved === 0) return null;
        // Small columns stay visible.
        const top = Math.min(y(saved), LANE.bottom - 1.5);
        const x = place(index, room) - column / 2;
        const marked = index === pointed ? 'f1' : 'f1 f-soft';
        return <rect key={day} class={marked} x={x.toFixed(1)} y={top} width={column.toFixed(1)} height={LANE.bottom - top} rx="1" />;
      })}
    </>
  );
}
