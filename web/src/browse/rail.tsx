import { useMemo } from 'preact/hooks';
import { useSize } from '../parts/use-size.ts';
import { browseTexts } from './texts.ts';
import { binsOf, daysInView, marksOf, type Span } from './calendar.ts';
import { followPointer, useTimeSlider, type TimeProps } from './use-time-slider.ts';

const BAR_PX = 7.5;
const MARK_PX = 22;
const BAR_LEFT = 38;
const LONGEST_PX = 26;
const EDGE_PX = 6;
const LEAST_WINDOW_PX = 12;

/** A histogram of time next to the list with the visible range marked; a press moves there. */
export function Rail(props: TimeProps) {
  const { span, at, aria, newestFirst } = useTimeSlider(props);
  const { element, size } = useSize<HTMLDivElement>();
  if (span === undefined) return null;
  const follow = (event: PointerEvent): void => {
    const box = element.current?.getBoundingClientRect();
    if (box === undefined) return;
    const share = (event.clientY - box.top - EDGE_PX) / (box.height - 2 * EDGE_PX);
    at(newestFirst ? share : 1 - share);
  };
  return (
    <div ref={element} class="rail" aria-label={browseTexts.rail} aria-orientation="vertical" {...aria} {...followPointer(follow)}>
      {size.height > 0 && <RailPicture {...props} span={span} newestFirst={newestFirst} height={size.height} />}
    </div>
  );
}

interface PictureProps extends TimeProps {
  readonly span: Span;
  readonly newestFirst: boolean;
  readonly height: number;
}

function RailPicture({ calendar, plan, viewport, span, newestFirst, height }: PictureProps) {
  const room = height - 2 * EDGE_PX;
  const days = span.newest - span.oldest + 1;
  const turned = (share: number): number => EDGE_PX + (newestFirst ? share : 1 - share) * room;
  const drawn = useMemo(() => {
    const bins = binsOf(calendar, span, Math.max(1, Math.min(days, Math.floor(room / BAR_PX))));
    const most = Math.max(...bins);
    const marks = marksOf(span, Math.floor(room / MARK_PX));
    return (
      <>
        {bins.map((entries, nth) => {
          const width = entries === 0 ? 0 : 2 + (entries / most) * (LONGEST_PX - 2);
          return (
            <rect
              key={nth}
              x={BAR_LEFT}
              y={(turned((nth + 0.5) / bins.length) - 1.5).toFixed(1)}
              width={width.toFixed(1)}
              height="3"
              rx="1.5"
            />
          );
        })}
        {marks.map(({ text, at: share }) => (
          <text key={share} x="8" y={Math.min(height - 4, Math.max(12, turned(share) + (newestFirst ? 6 : -2)))}>
            {text}
          </text>
        ))}
      </>
    );
  }, [calendar, height, newestFirst]);
  const inView = daysInView(plan, [viewport.top, viewport.top + viewport.height]);
  if (inView === undefined) return null;
  const [one, other] = inView;
  const low = turned((span.newest - Math.max(one, other)) / days);
  const high = turned((span.newest - Math.min(one, other) + 1) / days);
  const tall = Math.max(LEAST_WINDOW_PX, Math.abs(high - low));
  const top = Math.min(Math.max(0, Math.min(low, high)), height - tall);
  return (
    <svg viewBox={`0 0 72 ${height}`} width="72" height={height} aria-hidden="true">
      {drawn}
      <rect class="win" x="0" y={top.toFixed(1)} width="72" height={tall.toFixed(1)} />
      <path class="win-l" d={`M0 ${top.toFixed(1)}h72M0 ${(top + tall).toFixed(1)}h72`} />
    </svg>
  );
}
