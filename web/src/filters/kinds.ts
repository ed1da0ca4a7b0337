import type { Filter } from '../address.ts';
import { ratio } from '../parts/formats.ts';
import type { IconName } from '../parts/icon.tsx';
import { texts } from '../texts.ts';
import { filterTexts } from './texts.ts';
import { periodText } from './periods.ts';

export interface Kind {
  readonly icon: IconName;
  /** Label with value, as in `Namespace harbor/api`. */
  readonly label: string;
  /** Label of the button while it is not set. */
  readonly unset: string;
  /** Whether its button is shown while it is not set; others are behind `Filter`. */
  readonly offered: boolean;
  /** Description of the value; undefined if not set. */
  readonly shown: (filter: Filter) => string | undefined;
  readonly cleared: Partial<Filter>;
}

const text = (value: string): string | undefined => (value === '' ? undefined : value);

export type Range = Pick<Filter, 'min' | 'max'>;

/** `≥ 0.20`, `≤ 0.80`, `0.20 to 0.80`. */
function rangeText({ min, max }: Range): string {
  if (max === undefined) return filterTexts.atLeastSign(ratio(min ?? 0));
  return min === undefined ? filterTexts.atMostSign(ratio(max)) : filterTexts.between(ratio(min), ratio(max));
}

export const hasRange = ({ min, max }: Range): boolean => min !== undefined || max !== undefined;

function priorityText(filter: Filter): string | undefined {
  const parts = [...(filter.priority === '' ? [] : [texts.priorities[filter.priority]]), ...(hasRange(filter) ? [rangeText(filter)] : [])];
  return text(parts.join(', '));
}

export const KINDS = {
  ns: {
    icon: 'ns',
    label: filterTexts.namespace,
    unset: filterTexts.allNamespaces,
    offered: true,
    shown: ({ ns }) => text(ns),
    cleared: { ns: '' },
  },
  tags: {
    icon: 'tag',
    label: filterTexts.tag,
    unset: filterTexts.tags,
    offered: true,
    // Each tag has its own chip; this one adds another.
    shown: () => undefined,
    cleared: { tags: [] },
  },
  period: {
    icon: 'clock',
    label: filterTexts.saved,
    unset: filterTexts.anyTime,
    offered: true,
    shown: ({ from, to }) => (from === '' && to === '' ? undefined : periodText({ from, to })),
    cleared: { from: '', to: '' },
  },
  priority: {
    icon: 'prio-normal',
    label: filterTexts.priority,
    unset: filterTexts.priority,
    offered: false,
    shown: priorityText,
    cleared: { priority: '', min: undefined, max: undefined },
  },
  container: {
    icon: 'box',
    label: filterTexts.container,
    unset: filterTexts.container,
    offered: false,
    shown: ({ container }) => text(container),
    cleared: { container: '' },
  },
  source: {
    icon: 'plug',
    label: filterTexts.source,
    unset: filterTexts.source,
    offered: false,
    shown: ({ source }) => (source === '' ? undefined : texts.sources[source]),
    cleared: { source: '' },
  },
  kind: {
    icon: 'file',
    label: filterTexts.kind,
    unset: filterTexts.kind,
    offered: false,
    shown: ({ kind }) => (kind === '' ? undefined : texts.kinds[kind]),
    cleared: { kind: '' },
  },
} as const satisfies Readonly<Record<string, Kind>>;
export type KindName = keyof typeof KINDS;
