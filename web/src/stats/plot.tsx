import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useSize } from '../parts/use-size.ts';

const TIP_GAP = 12;

interface PlotProps {
  /** Label of the control for the arrow keys. */
  readonly label: string;
  readonly height: number;
  /** Number of points; with 0 the chart is not focusable. */
  readonly count: number;
  /** The x coordinate of a point in a chart of this width. */
  readonly place: (index: number, width: number) => number;
  /** Description of a point; the first line is the value. */
  readonly describe: (index: number) => readonly string[];
  /** Draws the chart at this width with the selected point. */
  readonly draw: (width: number, pointed: number | undefined) => ComponentChildren;
  /** The same data as a table for screen readers. */
  readonly children: ComponentChildren;
}

/** A responsive chart with a crosshair that follows the pointer and the arrow keys. */
export function Plot({ label, height, count, place, describe, draw, children }: PlotProps) {
  const {
    element: box,
    size: { width },
  } = useSize<HTMLDivElement>();
  const [wanted, setPointed] = useState<number>();
  const pointed = wanted === undefined || count === 0 ? undefined : Math.min(wanted, count - 1);
  const follow = ({ clientX, currentTarget }: PointerEvent): void => {
    const x = clientX - (currentTarget as Element).getBoundingClientRect().left;
    setPointed(nearest(count, (index) => Math.abs(place(index, width) - x)));
  };
  const walk = (event: KeyboardEvent): void => {
    const next = stepFrom(pointed ?? count - 1, event.key, count);
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    setPointed(next);
  };
  const lines = count === 0 ? [] : describe(pointed ?? count - 1);
  const walkable = count > 0 && {
    role: 'slider' as const,
    tabIndex: 0,
    'aria-label': label,
    'aria-valuemin': 1,
    'aria-valuemax': count,
    'aria-valuenow': (pointed ?? count - 1) + 1,
    'aria-valuetext': lines.join(', '),
    onPointerMove: follow,
    onPointerDown: follow,
    onPointerLeave: (event: PointerEvent) => event.pointerType === 'mouse' && setPointed(undefined),
    onKeyDown: walk,
    onFocus: () => setPointed((before) => before ?? count - 1),
    onBlur: () => setPointed(undefined),
  };
  return (
    <div class="plot">
      <div ref={box} class="plot-field" {...walkable}>
        {width > 0 && (
          <svg class="chart" width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
            {draw(width, pointed)}
          </svg>
        )}
        {pointed !== undefined && width > 0 && <Tip x={place(pointed, width)} room={width} lines={lines} />}
      </div>
      {children}
    </div>
  );
}

function nearest(count: number, distance: (index: number) => number): number | undefined {
  let best: number | undefined;
  for (let index = 0; index < count; index += 1) if (best === undefined || distance(index) < distance(best)) best = index;
  return best;
}

/** The point to which a key moves; undefined for other keys. */
function stepFrom(index: number, key: string, count: number): number | undefined {
  const page = Math.max(1, Math.round(count / 10));
  const steps: Readonly<Record<string, number>> = {
    ArrowLeft: -1,
    ArrowDown: -1,
    ArrowRight: 1,
    ArrowUp: 1,
    PageDown: -page,
    PageUp: page,
    Home: -count,
    End: count,
  };
  const step = Object.hasOwn(steps, key) ? steps[key] : undefined;
  return step === undefined ? undefined : Math.min(Math.max(index + step, 0), count - 1);
}

/** Tooltip next to the crosshair, on the side with room. */
function Tip({ x, room, lines }: { x: number; room: number; lines: readonly string[] }) {
  const tip = useRef<HTMLDivElement>(null);
  const said = lines.join('\n');
  useLayoutEffect(() => {
    const element = tip.current;
    if (element === null) return;
    const width = element.offsetWidth;
    const left = x - TIP_GAP - width >= 0 ? x - TIP_GAP - width : Math.min(x + TIP_GAP, room - width);
    element.style.transform = `translate(${Math.max(left, 0).toFixed(1)}px, 0)`;
  }, [x, room, said]);
  return (
    <div ref={tip} class="plot-tip" aria-hidden="true">
      {lines.map((line, index) => (index === 0 ? <b key={index}>{line}</b> : <span key={index}>{line}</span>))}
    </div>
  );
}

/** Horizontal grid lines with values on the left. */
export function Grid({
  values,
  text,
  y,
  left,
  width,
}: {
  values: readonly number[];
  text: (value: number) => string;
  y: (value: number) => number;
  left: number;
  width: number;
}) {
  return (
    <>
      {values.map((value) => (
        <g key={value}>
          <path class={value === 0 ? 'ax' : 'g'} d={`M${left} ${y(value)}H${width}`} />
          <text x={left - 8} y={y(value) + 4} text-anchor="end">
            {text(value)}
          </text>
        </g>
      ))}
    </>
  );
}
