/** The text format of Prometheus, version 0.0.4: https://prometheus.io/docs/instrumenting/exposition_formats/ */

export interface Sample {
  /** Suffix of the family name, such as `_sum`. */
  readonly suffix?: string;
  readonly labels: readonly (readonly [name: string, value: string])[];
  readonly value: number;
}

export interface SampledFamily {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly samples: readonly Sample[];
}

/** The lines of one family; empty without samples. */
export function familyText({ name, help, type, samples }: SampledFamily): string {
  if (samples.length === 0) return '';
  const lines = samples.map(({ suffix = '', labels, value }) => `${name}${suffix}${labelText(labels)} ${value}\n`);
  return `# HELP ${name} ${escaped(help)}\n# TYPE ${name} ${type}\n${lines.join('')}`;
}

function labelText(labels: Sample['labels']): string {
  if (labels.length === 0) return '';
  return `{${labels.map(([name, value]) => `${name}="${escaped(value).replaceAll('"', '\\"')}"`).join(',')}}`;
}

const escaped = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
