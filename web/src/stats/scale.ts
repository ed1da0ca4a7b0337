/** Round grid values: 0 and two to four steps of 1, 2 or 5 times a power of ten; the last is at or above the maximum. */
export function gridValues(greatest: number, steps = 3): readonly number[] {
  const rough = Math.max(greatest, 1) / steps;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, power * ([1, 2, 5, 10].find((times) => times * power >= rough) ?? 10));
  return Array.from({ length: Math.max(Math.ceil(greatest / step), 1) + 1 }, (_, index) => index * step);
}

/** The y coordinate of a value; y grows downwards as in SVG. */
export type Scale = (value: number) => number;

/** Maps 0 to `bottom` and the maximum to `top`. */
export const scaleTo =
  (greatest: number, { top, bottom }: { top: number; bottom: number }): Scale =>
  (value) =>
    Math.round((bottom - (value / greatest) * (bottom - top)) * 10) / 10;

const DIGIT = 6.4;
const GAP = 10;

/** Width for the longest of these labels, left of a chart. */
export const roomFor = (labels: readonly string[]): number => Math.ceil(Math.max(...labels.map(({ length }) => length)) * DIGIT) + GAP;

export const lineThrough = (points: readonly (readonly [number, number])[]): string =>
  points.map(([x, y], index) => `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join('');

/** A value larger than this multiple of a typical one is cut off. */
const OUTLIER = 4;
const COMMON = 0.9;

/** The upper end of the scale: the maximum, unless outliers would flatten all typical values. */
export function commonCeiling(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [common, greatest] = [sorted[Math.floor((sorted.length - 1) * COMMON)] ?? 0, sorted.at(-1) ?? 0];
  return greatest > common * OUTLIER ? common * 2 : greatest;
}
