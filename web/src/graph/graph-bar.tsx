import { DEPTHS, go, useAddress, type Address } from '../address.ts';
import { Icon } from '../parts/icon.tsx';
import { Link } from '../parts/link.tsx';
import { Segments } from '../parts/segments.tsx';
import { namespaceOptions, Select } from '../parts/select.tsx';
import { useServer } from '../shell/server.tsx';
import { graphTexts } from './texts.ts';
import { titleFor } from './titles.ts';
import { Button, IconButton } from '../parts/button.tsx';

interface BarProps {
  /** Beginning of the memory at the center; empty if there is none. */
  readonly around: string;
  readonly filterOpen: boolean;
  readonly legendId: string;
  readonly onFilter: () => void;
  /** Result of the search for screen readers; empty without a search. */
  readonly found: string;
  readonly onNext: () => void;
}

/** Scope of the graph, search in it, and picture or list. */
export function GraphBar({ around, filterOpen, legendId, onFilter, found, onNext }: BarProps) {
  const { seed } = useAddress();
  return (
    <header class="row row--wrap g-bar">
      <h1>{graphTexts.title}</h1>
      {seed === '' ? <NamespaceSelect /> : <Around label={around} />}
      <span class="grow" />
      <Button
        class="g-filter"
        icon="filter"
        label={graphTexts.filter}
        aria-expanded={filterOpen}
        aria-controls={legendId}
        onClick={onFilter}
      />
      <Find found={found} onNext={onNext} />
      <Shapes />
    </header>
  );
}

function NamespaceSelect() {
  const { ns } = useAddress();
  const { namespaces } = useServer();
  const known = ns === '' || namespaces.some(({ namespace }) => namespace === ns) ? namespaces : [{ namespace: ns }, ...namespaces];
  return (
    <span class="g-ns">
      <Select
        aria-label={graphTexts.namespace}
        value={ns}
        options={[{ value: '', label: graphTexts.all }, ...namespaceOptions(known)]}
        onChoose={(chosen) => go({ ns: chosen })}
      />
    </span>
  );
}

/** Shows that the graph is around one memory, its depth, and a button to leave. */
function Around({ label }: { label: string }) {
  const { depth } = useAddress();
  return (
    <>
      <span class="chip chip--on g-around" title={label}>
        <span class="clip">{label === '' ? graphTexts.around : graphTexts.aroundWhat(titleFor(label).short)}</span>
        <IconButton icon="x" label={graphTexts.wholeGraph} size="sm" class="chip-x" onClick={() => go({ seed: '' })} />
      </span>
      <Segments
        class="g-depth"
        legend={graphTexts.steps}
        name="graph-depth"
        options={DEPTHS.map((value) => ({ value, label: value, title: graphTexts.step(value) }))}
        value={depth}
        onChoose={(value) => go({ depth: value })}
      />
    </>
  );
}

function Find({ found, onNext }: Pick<BarProps, 'found' | 'onNext'>) {
  const { q } = useAddress();
  const submit = (event: Event): void => {
    event.preventDefault();
    onNext();
  };
  return (
    <form class="g-find" role="search" onSubmit={submit}>
      <Icon name="search" size="sm" />
      <label class="sr" for="graph-find">
        {graphTexts.find}
      </label>
      <input
        class="input"
        id="graph-find"
        type="search"
        autocomplete="off"
        spellcheck={false}
        placeholder={graphTexts.find}
        value={q}
        aria-describedby="graph-found"
        title={graphTexts.findKeys}
        onInput={(event) => go({ q: event.currentTarget.value }, { replace: true })}
      />
      <p class="num hint g-found" id="graph-found" role="status">
        {found}
      </p>
    </form>
  );
}

function Shapes() {
  const address = useAddress();
  const shape = address.as === 'list' ? 'list' : 'graph';
  const link = (name: 'list' | 'graph', as: Address['as'], label: string) => (
    <Link to={{ ...address, as }} aria-current={shape === name ? 'page' : undefined}>
      <Icon name={name} size="sm" />
      {label}
    </Link>
  );
  return (
    <nav class="seg g-shapes" aria-label={graphTexts.shapes}>
      {link('graph', '', graphTexts.picture)}
      {link('list', 'list', graphTexts.list)}
    </nav>
  );
}
