// Whether anything grows.

/**
 * What each figure may be. `most` bounds every sample, `perHour` the slope of a life of the server that is long enough, or of all lives
 * where the figure is one of the store. `ofStore`: it goes on over a restart.
 */
export const BOUNDS = {
  rssMB: { most: 1000, perHour: 150 },
  heapMB: { most: 300, perHour: 40 },
  fds: { most: 300, perHour: 40 },
  removedFilesOpen: { most: 100, perHour: 20 },
  // LanceDB starts threads for files as it needs them and lets idle ones go: their number follows the load, so its slope says nothing.
  threads: { most: 300 },
  children: { most: 2, perHour: 1 },
  resources: { most: 150, perHour: 20 },
  eventStreams: { most: 20 },
  writeQueue: { most: 1000 },
  embedQueue: { most: 2000 },
  // Every cycle makes some, and there are the more cycles the more is written: 33 at 20 requests a second, 55 at 60.
  versions: { most: 80, perHour: 10, ofStore: true },
  fragments: { most: 20, perHour: 5, ofStore: true },
  freshRows: { most: 3000 },
  journalMB: { most: 64 },
  files: { most: 1500, perHour: 200, ofStore: true },
  storeMB: { most: 500, perHour: 40, ofStore: true },
  bytesPerEntry: { most: 80_000, perHour: 8000, ofStore: true },
  entries: { perHour: 1000, ofStore: true },
};

/** The part of a life that is warm-up: caches fill, code is compiled, and the allocator takes some ten minutes until it has what it will ever need. */
const WARM_UP = 1 / 2;
/** A slope over less says more of the garbage collector than of leaks. */
const LEAST_HOURS = 6 / 60;
const MAX_POINTS = 200;

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

/** The median of the slopes between all pairs of points (Theil and Sen): one merge at the end does not tilt it. Undefined for too few. */
function slopeOf(points) {
  const step = Math.ceil(points.length / MAX_POINTS);
  const kept = points.filter((_, nth) => nth % step === 0);
  const slopes = kept.flatMap((a, nth) => kept.slice(nth + 1).map((b) => (b.value - a.value) / (b.hours - a.hours)));
  return slopes.length === 0 ? undefined : median(slopes);
}

const afterWarmUp = (samples) => samples.slice(Math.floor(samples.length * WARM_UP));
const hoursOf = (samples) => (samples.length === 0 ? 0 : samples.at(-1).hours - samples[0].hours);

/** First, last and greatest value of a figure, its slope an hour, and what of it is out of bounds. Undefined where it was never told. */
function judge(figure, samples) {
  const { most = Infinity, perHour = Infinity, ofStore = false } = BOUNDS[figure];
  const told = samples.flatMap((sample) => (sample[figure] === undefined ? [] : [{ ...sample, value: sample[figure] }]));
  if (told.length === 0) return undefined;
  const names = ofStore ? [undefined] : [...new Set(told.map(({ life }) => life))];
  const lives = names.map((name) => told.filter(({ life }) => name === undefined || life === name));
  const warm = lives.map(afterWarmUp);
  const slopes = warm.flatMap((points) => (hoursOf(points) > 0 ? [{ slope: slopeOf(points), hours: hoursOf(points) }] : []));
  const counted = slopes.filter(({ hours }) => hours >= LEAST_HOURS);
  const steepest = (counted.length > 0 ? counted : slopes).reduce((most, { slope }) => Math.max(most, slope), -Infinity);
  const max = told.reduce((greatest, { value }) => Math.max(greatest, value), -Infinity);
  return {
    figure,
    first: told[0].value,
    last: told.at(-1).value,
    max,
    perHour: Number.isFinite(steepest) ? Number(steepest.toFixed(1)) : undefined,
    slopeCounts: counted.length > 0,
    bounds: { most, perHour },
    faults: [
      ...(max > most ? [`${figure} reached ${max}, more than ${most}`] : []),
      // What leaks does so in each life that is long enough to tell; in one of several it is chance. Of a run of half an hour only the life
      // after the restart is so long, so that it decides alone.
      ...(counted.length > 0 && counted.every(({ slope }) => slope > perHour)
        ? [`${figure} grows by ${steepest.toFixed(1)} an hour, more than ${perHour}`]
        : []),
    ],
  };
}

/** The verdict on all samples, each with `hours` since the start and the number of its `life`. */
export function verdictOn(samples) {
  const figures = Object.keys(BOUNDS).flatMap((figure) => judge(figure, samples) ?? []);
  return { figures, faults: figures.flatMap(({ faults }) => faults) };
}

const cell = (value, width) => (value === undefined || value === Infinity ? '-' : String(value)).padStart(width);

/** The figures as a table for people. */
export function tableOf({ figures }) {
  const head = [
    'figure'.padEnd(18),
    ...['first', 'last', 'max', 'an hour', 'max allowed', 'an hour'].map((word) => word.padStart(12)),
  ].join('');
  const lines = figures.map(({ figure, first, last, max, perHour, slopeCounts, bounds, faults }) =>
    [
      figure.padEnd(18),
      ...[first, last, max, slopeCounts || perHour === undefined ? perHour : `(${perHour})`, bounds.most, bounds.perHour].map((value) =>
        cell(value, 12),
      ),
      ...(faults.length > 0 ? ['  <--'] : []),
    ].join(''),
  );
  return [head, ...lines, 'In brackets: over too short a time to count.'].join('\n');
}
