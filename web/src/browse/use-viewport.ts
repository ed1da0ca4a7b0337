import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Metrics } from './plan.ts';

const rem = (): number => Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
/** The same width as in the style sheet. */
const NARROW = '(max-width: 46rem)';

/** Heights in rem; the same as in the style sheet. */
const LIST = { head: 2.75, row: 2.625, gap: 0.25, more: 0, month: 0 };
const NARROW_LIST = { ...LIST, row: 5.25 };
const FLAT_LIST = { head: 0, gap: 0 };
const TIMELINE = { head: 0.25, row: 3.875, gap: 1.25, more: 2.25, month: 4 };
const NARROW_TIMELINE = { ...TIMELINE, row: 6.375 };
const MOST_PER_DAY = 5;

type Look = 'list' | 'flat' | 'timeline';

function metricsOf(look: Look, isNarrow: boolean): Metrics {
  const timeline = isNarrow ? NARROW_TIMELINE : TIMELINE;
  const list = isNarrow ? NARROW_LIST : LIST;
  const inRem = look === 'timeline' ? timeline : { ...list, ...(look === 'flat' && FLAT_LIST) };
  const pixels = Object.entries(inRem).map(([name, value]) => [name, value * rem()] as const);
  return { ...(Object.fromEntries(pixels) as unknown as Metrics), mostPerDay: look === 'timeline' ? MOST_PER_DAY : Infinity };
}

/** Heights of list elements; smaller screens have others. */
export function useMetrics(look: Look): Metrics {
  const [isNarrow, setNarrow] = useState(() => matchMedia(NARROW).matches);
  useEffect(() => {
    const query = matchMedia(NARROW);
    const changed = (): void => setNarrow(query.matches);
    query.addEventListener('change', changed);
    return () => query.removeEventListener('change', changed);
  }, []);
  const kept = useRef<{ key: string; metrics: Metrics } | undefined>(undefined);
  const key = `${look} ${isNarrow}`;
  if (kept.current?.key !== key) kept.current = { key, metrics: metricsOf(look, isNarrow) };
  return kept.current.metrics;
}

export interface Viewport {
  readonly top: number;
  readonly height: number;
}

/** Scroll distance that triggers a redraw: less than the drawn overscan. */
export const STEP_PX = 160;

/** The visible range of a scroll container, in steps. */
export function useViewport(scroller: { readonly current: HTMLElement | null }): Viewport {
  const [viewport, setViewport] = useState<Viewport>({ top: 0, height: 800 });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    let frame = 0;
    const measure = (): void => {
      frame = 0;
      const top = Math.floor(element.scrollTop / STEP_PX) * STEP_PX;
      const height = element.clientHeight;
      setViewport((before) => (before.top === top && before.height === height ? before : { top, height }));
    };
    const later = (): void => {
      frame ||= requestAnimationFrame(measure);
    };
    measure();
    const sizes = new ResizeObserver(later);
    sizes.observe(element);
    element.addEventListener('scroll', later, { passive: true });
    return () => {
      cancelAnimationFrame(frame);
      sizes.disconnect();
      element.removeEventListener('scroll', later);
    };
  }, []);
  return viewport;
}

/** The drawn range: the visible range and an overscan. */
export const drawn = ({ top, height }: Viewport): readonly [number, number] => [top - STEP_PX * 2, top + height + STEP_PX * 3];
