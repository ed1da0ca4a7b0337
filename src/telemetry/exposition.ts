import type { MetricsText } from '../memory/telemetry.ts';
import { AMOUNTS, BUILD_INFO, COUNTERS, GAUGES, TIMINGS, type Family } from './families.ts';
import type { Histogram } from './histogram.ts';
import { processMetrics } from './process-metrics.ts';
import type { Recorder } from './recorder.ts';
import type { Series } from './series.ts';
import { familyText, type Sample, type SampledFamily } from './text-format.ts';

type Labels = Sample['labels'];

/** All metrics of Lore and of the process, as text for Prometheus. */
export async function exposition(recorder: Recorder, version: string): Promise<MetricsText> {
  const gauges = await recorder.gauges();
  const own = [
    gauge(BUILD_INFO, 1, labelled(BUILD_INFO, [version, process.version])),
    ...entries(COUNTERS).map(([name, family]) => counter(family, recorder.counts[name])),
    ...entries(AMOUNTS).map(([name, family]) => histogram(family, recorder.amounts[name])),
    ...entries(TIMINGS).map(([name, family]) => histogram(family, recorder.timings[name])),
    ...entries(GAUGES).map(([name, family]) => gauge(family, gauges[name])),
  ];
  const { contentType, text } = await processMetrics();
  return { contentType, text: own.map(familyText).join('') + text };
}

const entries = <Name extends string, F>(families: Readonly<Record<Name, F>>): [Name, F][] => Object.entries(families) as [Name, F][];

function counter(family: Family, series: Series<number>): SampledFamily {
  return { ...family, type: 'counter', samples: [...series.all()].map(({ words, value }) => ({ labels: labelled(family, words), value })) };
}

function gauge(family: Family, value: number | undefined, labels: Labels = []): SampledFamily {
  return { ...family, type: 'gauge', samples: value === undefined ? [] : [{ labels, value }] };
}

function histogram(family: Family, series: Series<Histogram>): SampledFamily {
  return { ...family, type: 'histogram', samples: [...series.all()].flatMap(({ words, value }) => spread(labelled(family, words), value)) };
}

function spread(labels: Labels, values: Histogram): Sample[] {
  const buckets = [...values.cumulative(), { bound: '+Inf', count: values.count }];
  return [
    ...buckets.map(({ bound, count }) => ({ suffix: '_bucket', labels: [...labels, ['le', String(bound)] as const], value: count })),
    { suffix: '_sum', labels, value: values.sum },
    { suffix: '_count', labels, value: values.count },
  ];
}

function labelled({ labels }: Family, words: readonly string[]): Labels {
  return labels.map((label, nth) => [label, words[nth] ?? '']);
}
