import type { RefObject } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Stats } from '../api/forms.ts';
import { calendarDay, count, counted } from '../parts/formats.ts';
import { texts } from '../texts.ts';

const HEIGHT = 212;
const TOP = 16;
const BOTTOM = 26;
const LEFT = 36;
const LABEL_WIDTH = 74;
const TIP_WIDTH = 124;

type Days = Stats['perDay'];

/** The width that the element has been given, in CSS pixels. */
function useWidth(): [RefObject<HTMLDivElement | null>, number] {
  const element = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (element.current === null) return;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  return [element, width];
}

/** Round values for the grid: 0 and two or more steps of 1, 2 or 5 times a power of ten, the last one at or above the greatest value. */
export function gridValues(greatest: number): readonly number[] {
  const rough = Math.max(greatest, 1) / 3;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, power * ([1, 2, 5, 10].find((times) => times * power >= rough) ?? 10));
  return Array.from({ length: Math.max(Math.ceil(greatest / step), 1) + 1 }, (_, index) => index * step);
}

/** Memories per day as columns, drawn at the width it gets; the same numbers as a table for those who do not see it. */
export function DayChart({ days }: { days: Days }) {
  const [box, width] = useWidth();
  return (
    <div ref={box} class="chartbox">
      {width > 0 && <Columns days={days} width={width} />}
      <table class="sr">
        <caption>{texts.stats.perDay}</caption>
        <tbody>
          {days.map(({ day, entries }) => (
            <tr key={day}>
              <th scope="row">{calendarDay(day)}</th>
              <td>{count(entries)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Columns({ days, width }: { days: Days; width: number }) {
  const [pointed, setPointed] = useState(-1);
  const grid = useMemo(() => gridValues(Math.max(...days.map(({ entries }) => entries), 0)), [days]);
  const highest = grid.at(-1) ?? 1;
  const y = (entries: number): number => HEIGHT - BOTTOM - (entries / highest) * (HEIGHT - TOP - BOTTOM);
  const step = (width - LEFT) / Math.max(days.length, 1);
  const column = Math.max(step - Math.min(step * 0.3, 6), 1);
  const every = Math.max(1, Math.ceil(LABEL_WIDTH / step));
  const day = days[pointed];
  return (
    <svg
      class="chart"
      width={width}
      height={HEIGHT}
      viewBox={`0 0 ${width} ${HEIGHT}`}
      aria-hidden="true"
      onMouseLeave={() => setPointed(-1)}
    >
      {grid.map((value) => (
        <g key={value}>
          <path class={value === 0 ? 'ax' : 'g'} d={`M${LEFT} ${y(value)}H${width}`} />
          <text x={LEFT - 8} y={y(value) + 4} text-anchor="end">
            {count(value)}
          </text>
        </g>
      ))}
      {days.map(({ day: name, entries }, index) => {
        const x = LEFT + index * step;
        return (
          <g key={name} onMouseEnter={() => setPointed(index)}>
            <rect class="hover" x={x} y={TOP} width={step} height={HEIGHT - TOP - BOTTOM} />
            {entries > 0 && (
              <rect class="f1" x={x + (step - column) / 2} y={y(entries)} width={column} height={y(0) - y(entries)} rx="1.5" />
            )}
            {(days.length - 1 - index) % every === 0 && (
              <text
                x={index === days.length - 1 ? width : x + step / 2}
                y={HEIGHT - 6}
                text-anchor={index === days.length - 1 ? 'end' : 'middle'}
              >
                {calendarDay(name)}
              </text>
            )}
          </g>
        );
      })}
      {day !== undefined && <Tip day={day} x={LEFT + (pointed + 0.5) * step} y={y(day.entries)} width={width} />}
    </svg>
  );
}

function Tip({ day, x, y, width }: { day: Days[number]; x: number; y: number; width: number }) {
  const left = Math.min(Math.max(x - TIP_WIDTH / 2, LEFT), width - TIP_WIDTH);
  const top = Math.max(y - 50, 0);
  return (
    <g class="tips" transform={`translate(${left.toFixed(1)} ${top.toFixed(1)})`}>
      <rect class="tip" width={TIP_WIDTH} height="42" rx="7" />
      <text class="tip-t" x="12" y="18">
        {counted(day.entries, texts.memory, texts.memories)}
      </text>
      <text x="12" y="33">
        {calendarDay(day.day)}
      </text>
    </g>
  );
}
