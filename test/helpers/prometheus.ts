/** Parses the Prometheus text format strictly; throws at the first invalid line. */

export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly samples: readonly Sample[];
}

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const HELP = new RegExp(`^# HELP (${NAME}) (.*)$`);
const TYPE = new RegExp(`^# TYPE (${NAME}) (counter|gauge|histogram|summary|untyped)$`);
const SAMPLE = new RegExp(`^(${NAME})(?:\\{(.*)\\})? (\\S+)$`);
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/gy;
const SUFFIXES = { counter: [''], gauge: [''], untyped: [''], histogram: ['_bucket', '_sum', '_count'], summary: ['', '_sum', '_count'] };

/** The metric families by name. */
export function readExposition(text: string): ReadonlyMap<string, Family> {
  if (!text.endsWith('\n')) throw new Error('The text does not end with a line feed.');
  const families = new Map<string, { name: string; help: string; type: string; samples: Sample[] }>();
  let current: { name: string; help: string; type: string; samples: Sample[] } | undefined;
  const seen = new Set<string>();
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const [, helped, help] = HELP.exec(line) ?? [];
    const [, typed, type] = TYPE.exec(line) ?? [];
    if (helped !== undefined) {
      if (families.has(helped)) throw new Error(`${helped} is described twice.`);
      if (/\\(?![\\n])/.test(help!)) throw new Error(`The help of ${helped} is not escaped.`);
      current = { name: helped, help: help!, type: '', samples: [] };
      families.set(helped, current);
    } else if (typed !== undefined) {
      if (current?.name !== typed || current.type !== '' || current.samples.length > 0)
        throw new Error(`The type of ${typed} is out of place.`);
      current.type = type!;
    } else {
      const sample = readSample(line);
      if (current === undefined || current.type === '') throw new Error(`${line} has no type before it.`);
      const suffixes = SUFFIXES[current.type as keyof typeof SUFFIXES];
      if (!suffixes.some((suffix) => sample.name === `${current!.name}${suffix}`))
        throw new Error(`${line} is no line of ${current.name}.`);
      const key = `${sample.name} ${identity(sample.labels)}`;
      if (seen.has(key)) throw new Error(`${key} is there twice.`);
      seen.add(key);
      current.samples.push(sample);
    }
  }
  for (const family of families.values()) checkHistogram(family);
  return families;
}

/** A key of the labels, independent of their order. */
const identity = (labels: Readonly<Record<string, string>>): string =>
  JSON.stringify(Object.entries(labels).toSorted(([a], [b]) => a.localeCompare(b)));

function readSample(line: string): Sample {
  const [, name, labels, number] = SAMPLE.exec(line) ?? [];
  if (name === undefined) throw new Error(`This is no sample: ${line}`);
  const value = number === '+Inf' ? Infinity : Number(number);
  // Parsed like Go's ParseFloat: case-insensitive.
  if (number!.toLowerCase() !== 'nan' && Number.isNaN(value)) throw new Error(`This is no number: ${line}`);
  const found: Record<string, string> = {};
  let end = 0;
  for (const [whole, label = '', text] of (labels ?? '').matchAll(LABEL)) {
    if (label in found) throw new Error(`A label is there twice: ${line}`);
    found[label] = text!.replaceAll(/\\(["\\n])/g, (_, escaped: string) => (escaped === 'n' ? '\n' : escaped));
    end += whole.length;
  }
  if (end !== (labels ?? '').length) throw new Error(`These are no labels: ${line}`);
  return { name, labels: found, value };
}

/** Buckets must be cumulative, and the last one must equal the count. */
function checkHistogram({ name, type, samples }: Family): void {
  if (type !== 'histogram') return;
  const series = new Map<string, { buckets: Sample[]; count?: number; sum?: number }>();
  for (const sample of samples) {
    const { le: _, ...rest } = sample.labels;
    const key = identity(rest);
    const one = series.get(key) ?? { buckets: [] };
    series.set(key, one);
    if (sample.name === `${name}_bucket`) one.buckets.push(sample);
    else if (sample.name === `${name}_count`) one.count = sample.value;
    else one.sum = sample.value;
  }
  for (const { buckets, count, sum } of series.values()) {
    const bounds = buckets.map(({ labels: { le } }) => (le === '+Inf' ? Infinity : Number(le)));
    const rises = buckets.every(({ value }, nth) => nth === 0 || (value >= buckets[nth - 1]!.value && bounds[nth]! > bounds[nth - 1]!));
    if (!rises || bounds.at(-1) !== Infinity || buckets.at(-1)!.value !== count || sum === undefined) {
      throw new Error(`The buckets of ${name} do not add up.`);
    }
  }
}

/** The sum of the samples of this name with these labels; undefined if there are none. */
export function valueOf(
  families: ReadonlyMap<string, Family>,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | undefined {
  const matching = [...families.values()]
    .flatMap(({ samples }) => samples)
    .filter((sample) => sample.name === name && Object.entries(labels).every(([label, value]) => sample.labels[label] === value));
  return matching.length === 0 ? undefined : matching.reduce((sum, { value }) => sum + value, 0);
}
