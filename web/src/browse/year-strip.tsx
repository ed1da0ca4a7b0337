import { useSize } from '../parts/use-size.ts';
import { browseTexts } from './texts.ts';
import { binsOf, daysInView, marksOf, type Span } from './calendar.ts';
import { followPointer, useTimeSlider, type TimeProps } from './use-time-slider.ts';

const BAR_PX = 12;
const GAP_PX = 3;
const BARS_PX = 48;
const HEIGHT_PX = 68;
const MARK_PX = 52;
const LEAST_BAR_PX = 2;

/** A histogram of time above the timeline with the visible range marked; a press moves there. */
export function YearStrip(props: TimeProps) {
  const { span, at, aria } = useTimeSlider(props);
  const { element, size } = useSize<HTMLDivElement>();
  if (span === undefined) return null;
  const follow = (event: PointerEvent): void => {
    const box = element.current?.getBoundingClientRect();
    if (box !== undefined) at(1 - (event.clientX - box.left) / box.width);
  };
  return (
    <div class="tl-nav">
      <div ref={element} class="tl-strip" aria-label={browseTexts.strip} {...aria} {...followPointer(follow)}>
        {size.width > 0 && <StripPicture {...props} span={span} width={size.width} />}
      </div>
    </div>
  );
}

function StripPicture({ calendar, plan, viewport, span, width }: TimeProps & { readonly span: Span; readonly width: number }) {
  const days = span.newest - span.oldest + 1;
  const bins = binsOf(calendar, span, Math.max(1, Math.min(days, Math.floor(width / BAR_PX))));
  const most = Math.max(...bins);
  const step = width / bins.length;
  const inView = daysInView(plan, [viewport.top, viewport.top + viewport.height]) ?? [span.newest, span.newest];
  const binOf = (day: number): number => Math.min(bins.length - 1, Math.floor(((span.newest - day) / days) * bins.length));
  const [from, to] = [binOf(Math.max(...inView)), binOf(Math.min(...inView))];
  return (
    <svg viewBox={`0 0 ${width} ${HEIGHT_PX}`} width={width} height={HEIGHT_PX} aria-hidden="true">
      <path class="ax" d={`M0 ${BARS_PX + 0.5}h${width}`} />
      {bins.map((entries, nth) => {
        const tall = entries === 0 ? 0 : Math.max(LEAST_BAR_PX, (entries / most) * (BARS_PX - 4));
        return (
          <rect
            key={nth}
            class={nth >= from && nth <= to ? 'f1' : 'f0'}
            x={(width - (nth + 1) * step + GAP_PX / 2).toFixed(1)}
            y={(BARS_PX - tall).toFixed(1)}
            width={Math.max(1, Math.min(step - GAP_PX, 28)).toFixed(1)}
            height={tall.toFixed(1)}
            rx="1.5"
          />
        );
      })}
      {marksOf(span, Math.floor(width / MARK_PX)).map(({ text, at }) => (
        <text key={at} x={Math.max(0, Math.min(width - 24, (1 - at) * width - 28)).toFixed(1)} y={HEIGHT_PX - 4}>
          {text}
        </text>
      ))}
    </svg>
  );
}
