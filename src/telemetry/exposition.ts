import { Registry, type Metric } from 'prom-client';
import type { MetricsText } from '../memory/telemetry.ts';
import { AMOUNTS, BUILD_INFO, HAPPENINGS, LEVELS, TIMINGS, type Family } from './families.ts';
import type { Histogram } from './histogram.ts';
import { processMetrics } from './process-metrics.ts';
import type { Recorder } from './recorder.ts';
import type { Series } from './series.ts';

interface Sample {
  /** Of the family, where it is not the name itself. */
  readonly metricName?: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}

/** Everything that is recorded, and how the process is, as text for Prometheus. */
export async function exposition(recorder: Recorder, version: string): Promise<MetricsText> {
  const registry = new Registry();
  const add = (family: Family, type: string, values: readonly Sample[]): void => {
    if (values.length > 0) registry.registerMetric(asMetric(family, type, values));
  };
  add(BUILD_INFO, 'gauge', [{ labels: { version, node: process.version }, value: 1 }]);
  for (const [name, family] of entries(HAPPENINGS)) add(family, 'counter', plain(family, recorder.counts[name]));
  for (const [name, family] of entries(AMOUNTS)) add(family, 'histogram', spread(family, recorder.amounts[name]));
  for (const [name, family] of entries(TIMINGS)) add(family, 'histogram', spread(family, recorder.timings[name]));
  const levels = await recorder.levels();
  for (const [name, family] of entries(LEVELS)) add(family, 'gauge', one(levels[name]));
  const all = Registry.merge([registry, processMetrics()]);
  return { contentType: all.contentType, text: await all.metrics() };
}

const entries = <Name extends string, F>(families: Readonly<Record<Name, F>>): [Name, F][] => Object.entries(families) as [Name, F][];

/** The library asks a metric for its values and writes them; that they are kept by the recorder is no business of it. */
function asMetric({ name, help }: Family, type: string, values: readonly Sample[]): Metric {
  const read = { name, help, type, values, aggregator: 'sum' };
  return { ...read, get: () => Promise.resolve(read) } as unknown as Metric;
}

function plain({ labels }: Family, series: Series<number>): Sample[] {
  return [...series.all()].map(({ words, value }) => ({ labels: labelled(labels, words), value }));
}

const one = (value: number | undefined): Sample[] => (value === undefined ? [] : [{ labels: {}, value }]);

function spread({ name, labels }: Family, series: Series<Histogram>): Sample[] {
  return [...series.all()].flatMap(({ words, value }) => {
    const own = labelled(labels, words);
    const buckets = [...value.cumulative(), { bound: '+Inf', count: value.count }];
    return [
      ...buckets.map(({ bound, count }) => ({ metricName: `${name}_bucket`, labels: { ...own, le: String(bound) }, value: count })),
      { metricName: `${name}_sum`, labels: own, value: value.sum },
      { metricName: `${name}_count`, labels: own, value: value.count },
    ];
  });
}

function labelled(labels: readonly string[], words: readonly string[]): Record<string, string> {
  return Object.fromEntries(labels.map((label, nth) => [label, words[nth] ?? '']));
}
