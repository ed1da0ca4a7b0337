import { useState, useEffect, useRef } from 'preact/hooks';
import type { RelationType } from '../../../src/memory/relation.ts';
import { RELATION_TYPES } from '../../../src/memory/vocabulary.ts';
import type { Memory } from '../api/responses.ts';
import { useSuggested } from '../parts/use-suggested.ts';
import { Select } from '../parts/select.tsx';
import { toast, attempt } from '../parts/toasts.tsx';
import { useServer } from '../shell/server.tsx';
import { entryTexts } from './texts.ts';
import { NO_FILTER } from '../address.ts';
import { search, lore } from '../api/client.ts';
import { Icon } from '../parts/icon.tsx';
import { texts } from '../texts.ts';
import { titleOf } from '../parts/plain-text.ts';
import { Button } from '../parts/button.tsx';

type Choice = `${'out' | 'in'} ${RelationType}`;

/** Each type in both directions; symmetric types once. */
const CHOICES: readonly { readonly value: Choice; readonly label: string }[] = [
  ...RELATION_TYPES.map((type) => ({ value: `out ${type}` as const, label: entryTexts.types.out[type] })),
  ...RELATION_TYPES.filter((type) => type !== 'similar').map((type) => ({
    value: `in ${type}` as const,
    label: entryTexts.types.in[type],
  })),
];

/** Adds a relation to another memory, which is found by search. */
export function RelationForm({ id, onClose }: { id: string; onClose: () => void }) {
  const { changed } = useServer();
  const [choice, setChoice] = useState<Choice>('out references');
  const add = async ({ id: other }: Memory): Promise<void> => {
    const [way, type] = choice.split(' ') as ['out' | 'in', RelationType];
    const ends = way === 'out' ? { sourceId: id, targetId: other } : { sourceId: other, targetId: id };
    if (!(await attempt(() => lore.relations.relate({ ...ends, type }), entryTexts.notRelated))) return;
    toast(entryTexts.related);
    changed();
    onClose();
  };
  return (
    <div class="rel-form" role="group" aria-label={entryTexts.addRelation}>
      <div class="field">
        <label for="relation-type">{entryTexts.relationType}</label>
        <Select id="relation-type" value={choice} options={CHOICES} onChoose={setChoice} />
      </div>
      <EntryPicker id="relation-target" except={id} onPick={(memory) => void add(memory)} onLeave={onClose} />
      <Button look="quiet" label={entryTexts.cancel} onClick={onClose} />
    </div>
  );
}

const PAUSE_MS = 150;
const SHOWN = 6;

interface Found {
  readonly query: string;
  readonly memories: readonly Memory[];
}

/** The best memories for the last query, except one; undefined before the first query. */
function useFound(text: string, except: string): Found | undefined {
  const query = text.trim();
  const ask = async (signal: AbortSignal): Promise<Found> => {
    const { results } = await search({ query, mode: 'hybrid', limit: SHOWN + 1, explain: false, filter: NO_FILTER }, signal);
    const others = results.map(({ entry }) => entry).filter(({ id }) => id !== except);
    return { query, memories: others.slice(0, SHOWN) };
  };
  return useSuggested<Found | undefined>(query === '' ? undefined : ask, { of: query, pauseMs: PAUSE_MS, none: undefined });
}

interface EntryPickerProps {
  readonly id: string;
  /** Excluded from the results. */
  readonly except: string;
  readonly onPick: (memory: Memory) => void;
  /** Escape in the empty field. */
  readonly onLeave: () => void;
}

/** A field that searches memories while typing. Arrow keys select, Enter chooses. */
function EntryPicker({ id, except, onPick, onLeave }: EntryPickerProps) {
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const found = useFound(text, except);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  useEffect(() => setChosen(0), [found]);
  const list = `${id}-list`;
  const some = found?.memories ?? [];
  const pressed = (event: KeyboardEvent): void => {
    if (event.isComposing) return;
    // Results for an older text must not be chosen.
    const picked = found?.query === text.trim() ? some[chosen] : undefined;
    if (event.key === 'ArrowDown') setChosen(Math.min(chosen + 1, some.length - 1));
    else if (event.key === 'ArrowUp') setChosen(Math.max(chosen - 1, 0));
    else if (event.key === 'Enter' && picked !== undefined) onPick(picked);
    else if (event.key === 'Escape' && text === '') onLeave();
    else if (event.key === 'Escape') setText('');
    else if (event.key !== 'Enter') return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="field grow anchor">
      <label for={id}>{entryTexts.relationTo}</label>
      <input
        ref={field}
        id={id}
        class="input"
        value={text}
        role="combobox"
        aria-expanded={some.length > 0}
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={some.length > 0 ? `${list}-${chosen}` : undefined}
        autocomplete="off"
        placeholder={entryTexts.relationToHint}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={pressed}
      />
      <Options id={list} memories={some} chosen={chosen} onPick={onPick} />
      <p class="hint" role="status">
        {found?.memories.length === 0 ? entryTexts.noneFound : ''}
      </p>
    </div>
  );
}

interface OptionsProps {
  readonly id: string;
  readonly memories: readonly Memory[];
  readonly chosen: number;
  readonly onPick: (memory: Memory) => void;
}

function Options({ id, memories, chosen, onPick }: OptionsProps) {
  return (
    <ul class="menu pickmenu" id={id} role="listbox" aria-label={texts.memories} hidden={memories.length === 0}>
      {memories.map((memory, at) => (
        // The press must not blur the field before the click arrives.
        <li
          key={memory.id}
          id={`${id}-${at}`}
          role="option"
          aria-selected={at === chosen}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onPick(memory)}
        >
          <span class="clip grow">{titleOf(memory)}</span>
          <span class="num clip">
            <Icon name="ns" size="sm" /> {memory.metadata.namespace}
          </span>
        </li>
      ))}
    </ul>
  );
}
