import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { filterOf, go, isFiltered, NO_FILTER, useAddress, type Address, type Filter } from '../address.ts';
import { Icon } from '../parts/icon.tsx';
import { Popover } from '../parts/popover.tsx';
import { hrefOf, toggleSearch, useSavedSearches } from '../shell/saved-searches.ts';
import { filterTexts } from './texts.ts';
import { KINDS, type Kind, type KindName } from './kinds.ts';
import { IconButton } from '../parts/button.tsx';
import { lazyView } from '../shell/lazy-view.tsx';

const FilterEditor = lazyView(async () => (await import('./editors.tsx')).FilterEditor, { isSoon: true });
const NAMES = Object.keys(KINDS) as KindName[];
const MORE = 'filter-more';
const set = (patch: Partial<Filter>): void => go(patch);

type Remove = (patch: Partial<Filter>, next: string) => void;

/** Removes filters. The pressed button disappears with its filter, so another one gets the focus. */
function useRemoving(): Remove {
  const wanted = useRef<string | undefined>(undefined);
  useLayoutEffect(() => {
    if (wanted.current === undefined) return;
    const next = document.getElementById(`${wanted.current}-button`) ?? document.getElementById(`${MORE}-button`);
    wanted.current = undefined;
    next?.focus();
  });
  return (patch, next) => {
    wanted.current = next;
    set(patch);
  };
}

/** The filters as chips that can be edited and removed. Their state is in the address. */
export function FilterBar() {
  const address = useAddress();
  const filter = filterOf(address);
  const remove = useRemoving();
  const named = NAMES.map((name) => ({ name, kind: KINDS[name] as Kind, shown: KINDS[name].shown(filter) }));
  const hidden = named.filter(({ kind, shown }) => !kind.offered && shown === undefined).map(({ name }) => name);
  return (
    <ul class="chips" aria-label={filterTexts.label}>
      {named
        .filter(({ kind, shown }) => kind.offered || shown !== undefined)
        .flatMap(({ name, shown }) => [
          ...(name === 'tags' ? filter.tags.map((tag) => <TagChip key={`tag ${tag}`} tag={tag} filter={filter} onRemove={remove} />) : []),
          <KindChip key={name} name={name} shown={shown} filter={filter} onRemove={remove} />,
        ])}
      {hidden.length > 0 && (
        <li key="more">
          <MoreFilters filter={filter} names={hidden} />
        </li>
      )}
      {isFiltered(filter) && (
        <li key="clear">
          <button type="button" class="chip chip--quiet" onClick={() => remove(NO_FILTER, 'filter-ns')}>
            {filterTexts.clear}
          </button>
        </li>
      )}
      {(isFiltered(filter) || address.q.trim() !== '') && (
        <li key="save">
          <SaveSearch address={address} parts={named.flatMap(({ name, shown }) => (name === 'tags' ? filter.tags : (shown ?? [])))} />
        </li>
      )}
    </ul>
  );
}

/** Saves the search in the sidebar under a name made of its words and filters. */
function SaveSearch({ address, parts }: { address: Address; parts: readonly string[] }) {
  const href = hrefOf(address);
  const isSaved = useSavedSearches().some((saved) => saved.href === href);
  const name = [address.q.trim(), ...parts].filter((part) => part !== '').join(' · ');
  return (
    <button
      type="button"
      class="chip chip--quiet"
      aria-pressed={isSaved}
      title={isSaved ? filterTexts.unsaveSearchHint : filterTexts.saveSearchHint}
      onClick={() => toggleSearch({ name, href })}
    >
      <Icon name={isSaved ? 'check' : 'plus'} size="sm" />
      {isSaved ? filterTexts.savedSearch : filterTexts.saveSearch}
    </button>
  );
}

function RemoveButton({ label, onClick }: { label: string; onClick: () => void }) {
  return <IconButton icon="x" label={filterTexts.remove(label)} size="sm" class="chip-x" onClick={onClick} />;
}

function TagChip({ tag, filter, onRemove }: { tag: string; filter: Filter; onRemove: Remove }) {
  const without = filter.tags.filter((one) => one !== tag);
  return (
    <li class="chip chip--on" title={tag}>
      <span class="clip">
        <span class="chip-k">{filterTexts.tag}</span> {tag}
      </span>
      <RemoveButton label={filterTexts.tagNamed(tag)} onClick={() => onRemove({ tags: without }, 'filter-tags')} />
    </li>
  );
}

interface KindChipProps {
  readonly name: KindName;
  readonly shown: string | undefined;
  readonly filter: Filter;
  readonly onRemove: Remove;
}

function KindChip({ name, shown, filter, onRemove }: KindChipProps) {
  const kind = KINDS[name] as Kind;
  const id = `filter-${name}`;
  const button =
    shown === undefined ? (
      <>
        <Icon name={kind.icon} size="sm" />
        {kind.unset}
        <Icon name="down" size="sm" />
      </>
    ) : (
      <span class="clip">
        <span class="chip-k">{kind.label}</span> {shown}
      </span>
    );
  return (
    <li class={shown === undefined ? 'chip' : 'chip chip--on'} title={shown}>
      <Popover id={id} label={kind.label} class="chip-b" button={button}>
        {(close) => <FilterEditor name={name} filter={filter} onSet={set} onClose={close} />}
      </Popover>
      {shown !== undefined && <RemoveButton label={kind.label.toLowerCase()} onClick={() => onRemove(kind.cleared, id)} />}
    </li>
  );
}

/** Buttons for unset filters, each with its editor in a popover. */
function MoreFilters({ filter, names }: { filter: Filter; names: readonly KindName[] }) {
  const button = (
    <>
      <Icon name="plus" size="sm" />
      {filterTexts.more}
    </>
  );
  return (
    <Popover id={MORE} label={filterTexts.add} class="chip chip--dash" button={button}>
      {(close) => <MoreMenu filter={filter} names={names} onClose={close} />}
    </Popover>
  );
}

function MoreMenu({ filter, names, onClose }: { filter: Filter; names: readonly KindName[]; onClose: () => void }) {
  const [picked, pick] = useState<KindName>();
  if (picked !== undefined) {
    return (
      <>
        <p class="popover-h">{KINDS[picked].label}</p>
        <FilterEditor name={picked} filter={filter} onSet={set} onClose={onClose} />
      </>
    );
  }
  return (
    <ul class="options" aria-label={filterTexts.add}>
      {names.map((name) => (
        <li key={name}>
          <button type="button" class="option" onClick={() => pick(name)}>
            <Icon name={KINDS[name].icon} size="sm" />
            <span class="clip grow">{KINDS[name].label}</span>
            <Icon name="right" size="sm" />
          </button>
        </li>
      ))}
    </ul>
  );
}
