import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect } from 'preact/hooks';
import { ENTRY_KINDS, GLOBAL_NAMESPACE, PRIORITIES, SOURCES, type Priority } from '../../../src/memory/vocabulary.ts';
import type { Filter } from '../address.ts';
import { enterOpen } from '../parts/popover.tsx';
import { ExactImportance } from '../parts/priority-field.tsx';
import { useServer } from '../shell/server.tsx';
import { texts } from '../texts.ts';
import { filterTexts } from './texts.ts';
import { ImportanceEditor } from './importance-editor.tsx';
import { hasRange, type KindName } from './kinds.ts';
import { PeriodEditor } from './period-editor.tsx';
import { Picker } from './picker.tsx';
import { countOf, useFacets } from './facets.tsx';

interface EditorProps {
  readonly filter: Filter;
  readonly onSet: (patch: Partial<Filter>) => void;
  readonly onClose: () => void;
}

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
      <ExactImportance open={hasRange(filter)}>
        <ImportanceEditor range={filter} onChoose={onSet} />
      </ExactImportance>
    </>
  );
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

const EDITORS: Readonly<Record<KindName, (props: EditorProps) => ComponentChildren>> = {
  ns: NamespaceEditor,
  tags: TagsEditor,
  period: ({ filter, onSet, onClose }) => <PeriodEditor filter={filter} onChoose={onSet} onClose={onClose} />,
  priority: PriorityEditor,
  container: ContainerEditor,
  source: choiceOf('source', SOURCES),
  kind: choiceOf('kind', ENTRY_KINDS),
};

export function FilterEditor({ name, ...props }: EditorProps & { readonly name: KindName }) {
  const Editor = EDITORS[name];
  useLayoutEffect(enterOpen, []);
  return <Editor {...props} />;
}
