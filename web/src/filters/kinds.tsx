import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { ENTRY_KINDS, GLOBAL_NAMESPACE, PRIORITIES, SOURCES, type Priority } from '../../../src/memory/vocabulary.ts';
import type { Filter } from '../address.ts';
import type { IconName } from '../parts/icon.tsx';
import { Exact } from '../parts/priority-field.tsx';
import { useServer } from '../shell/server.tsx';
import { texts } from '../texts.ts';
import { filterTexts } from './texts.ts';
import { ImportanceEditor, rangeText, type Range } from './importance-editor.tsx';
import { PeriodEditor } from './period-editor.tsx';
import { periodText } from './periods.ts';
import { Picker } from './picker.tsx';
import { countOf, useFacets } from './facets.tsx';

interface EditorProps {
  readonly filter: Filter;
  readonly onSet: (patch: Partial<Filter>) => void;
  readonly onClose: () => void;
}

/** A filter. */
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
  readonly Editor: (props: EditorProps) => ComponentChildren;
}

const text = (value: string): string | undefined => (value === '' ? undefined : value);

function NamespaceEditor({ filter, onSet, onClose }: EditorProps) {
  const { namespaces } = useServer();
  const facets = useFacets({ ...filter, ns: '' });
  const known = namespaces.map(({ namespace }) => ({ value: namespace, entries: countOf(facets, 'namespaces', namespace) }));
  const all =
    filter.ns === '' || known.some(({ value }) => value === filter.ns) ? known : [{ value: filter.ns, entries: undefined }, ...known];
  return (
    <Picker
      label={filterTexts.namespace}
      options={all.map(({ value, entries }) => ({
        value,
        label: value,
        icon: value === GLOBAL_NAMESPACE ? 'globe' : 'ns',
        entries,
      }))}
      chosen={[filter.ns]}
      onPick={(ns) => {
        onSet({ ns: ns === filter.ns ? '' : ns });
        onClose();
      }}
    />
  );
}

function ContainerEditor({ filter, onSet, onClose }: EditorProps) {
  const { namespaces } = useServer();
  const within = namespaces.filter(({ namespace }) => filter.ns === '' || namespace === filter.ns);
  const names = [...new Set(within.flatMap(({ containers }) => containers))].toSorted();
  return (
    <Picker
      label={filterTexts.container}
      options={names.map((name) => ({ value: name, label: name, icon: 'box' }))}
      chosen={[filter.container]}
      free
      counted={false}
      onPick={(container) => {
        onSet({ container });
        onClose();
      }}
    />
  );
}

/** Stays open, because several tags are often combined. */
function TagsEditor({ filter, onSet }: EditorProps) {
  const { tags, needTags } = useServer();
  const facets = useFacets(filter);
  useEffect(needTags, []);
  const chosen = filter.tags;
  // By count, with those that match nothing at the end.
  const known = new Set([...(facets?.tags.map(({ value }) => value) ?? []), ...tags.map(({ tag }) => tag)]);
  const others = [...known].filter((tag) => !chosen.includes(tag));
  return (
    <Picker
      label={filterTexts.tag}
      options={[
        ...chosen.map((tag) => ({ value: tag, label: tag, icon: 'tag' as const })),
        ...others.map((tag) => ({ value: tag, label: tag, icon: 'tag' as const, entries: countOf(facets, 'tags', tag) })),
      ]}
      chosen={chosen}
      free
      onPick={(tag) => onSet({ tags: chosen.includes(tag) ? chosen.filter((one) => one !== tag) : [...chosen, tag] })}
    />
  );
}

function PriorityEditor({ filter, onSet, onClose }: EditorProps) {
  const facets = useFacets(filter);
  return (
    <>
      <Picker
        label={filterTexts.priority}
        options={PRIORITIES.toReversed().map((priority) => ({
          value: priority,
          label: texts.priorities[priority],
          icon: `prio-${priority}`,
          entries: countOf(facets, 'priorities', priority),
        }))}
        chosen={[filter.priority]}
        onPick={(priority) => {
          onSet({ priority: priority === filter.priority ? '' : (priority as Priority) });
          onClose();
        }}
      />
      <Exact open={hasRange(filter)}>
        <ImportanceEditor range={filter} onChoose={onSet} />
      </Exact>
    </>
  );
}

const hasRange = ({ min, max }: Range): boolean => min !== undefined || max !== undefined;

function priorityText(filter: Filter): string | undefined {
  const parts = [...(filter.priority === '' ? [] : [texts.priorities[filter.priority]]), ...(hasRange(filter) ? [rangeText(filter)] : [])];
  return text(parts.join(', '));
}

/** Chooses one of a few values. */
const choiceOf = <Name extends 'source' | 'kind'>(name: Name, values: readonly (keyof (typeof texts)[`${Name}s`] & string)[]) =>
  function ChoiceEditor({ filter, onSet, onClose }: EditorProps) {
    const facets = useFacets(filter);
    const labels: Readonly<Record<string, string>> = texts[`${name}s`];
    return (
      <Picker
        label={filterTexts[name]}
        options={values.map((value) => ({ value, label: labels[value] ?? value, entries: countOf(facets, `${name}s`, value) }))}
        chosen={[filter[name]]}
        onPick={(value) => {
          onSet({ [name]: value === filter[name] ? '' : value });
          onClose();
        }}
      />
    );
  };

export const KINDS = {
  ns: {
    icon: 'ns',
    label: filterTexts.namespace,
    unset: filterTexts.allNamespaces,
    offered: true,
    shown: ({ ns }) => text(ns),
    cleared: { ns: '' },
    Editor: NamespaceEditor,
  },
  tags: {
    icon: 'tag',
    label: filterTexts.tag,
    unset: filterTexts.tags,
    offered: true,
    // Each tag has its own chip; this one adds another.
    shown: () => undefined,
    cleared: { tags: [] },
    Editor: TagsEditor,
  },
  period: {
    icon: 'clock',
    label: filterTexts.saved,
    unset: filterTexts.anyTime,
    offered: true,
    shown: ({ from, to }) => (from === '' && to === '' ? undefined : periodText({ from, to })),
    cleared: { from: '', to: '' },
    Editor: ({ filter, onSet, onClose }) => <PeriodEditor filter={filter} onChoose={onSet} onClose={onClose} />,
  },
  priority: {
    icon: 'prio-normal',
    label: filterTexts.priority,
    unset: filterTexts.priority,
    offered: false,
    shown: priorityText,
    cleared: { priority: '', min: undefined, max: undefined },
    Editor: PriorityEditor,
  },
  container: {
    icon: 'box',
    label: filterTexts.container,
    unset: filterTexts.container,
    offered: false,
    shown: ({ container }) => text(container),
    cleared: { container: '' },
    Editor: ContainerEditor,
  },
  source: {
    icon: 'plug',
    label: filterTexts.source,
    unset: filterTexts.source,
    offered: false,
    shown: ({ source }) => (source === '' ? undefined : texts.sources[source]),
    cleared: { source: '' },
    Editor: choiceOf('source', SOURCES),
  },
  kind: {
    icon: 'file',
    label: filterTexts.kind,
    unset: filterTexts.kind,
    offered: false,
    shown: ({ kind }) => (kind === '' ? undefined : texts.kinds[kind]),
    cleared: { kind: '' },
    Editor: choiceOf('kind', ENTRY_KINDS),
  },
} as const satisfies Readonly<Record<string, Kind>>;
export type KindName = keyof typeof KINDS;
