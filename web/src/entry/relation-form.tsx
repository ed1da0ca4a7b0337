import { useState } from 'preact/hooks';
import type { RelationType } from '../../../src/memory/relation.ts';
import { RELATION_TYPES } from '../../../src/memory/vocabulary.ts';
import { ApiError } from '../api/client.ts';
import { relate } from '../api/entries.ts';
import type { Memory } from '../api/forms.ts';
import { Icon } from '../parts/icon.tsx';
import { toast } from '../parts/toasts.tsx';
import { useServer } from '../shell/server.tsx';
import { entryTexts } from './texts.ts';
import { EntryPicker } from './entry-picker.tsx';

type Choice = `${'out' | 'in'} ${RelationType}`;

/** Both ways, but for what is the same either way. */
const CHOICES: readonly Choice[] = [
  ...RELATION_TYPES.map((type): Choice => `out ${type}`),
  ...RELATION_TYPES.filter((type) => type !== 'similar').map((type): Choice => `in ${type}`),
];

/** Says what a memory has to do with another one, which is found by a search. */
export function RelationForm({ id, onClose }: { id: string; onClose: () => void }) {
  const { changed } = useServer();
  const [choice, setChoice] = useState<Choice>('out references');
  const add = async ({ id: other }: Memory): Promise<void> => {
    const [way, type] = choice.split(' ') as ['out' | 'in', RelationType];
    const ends = way === 'out' ? { sourceId: id, targetId: other } : { sourceId: other, targetId: id };
    try {
      await relate({ ...ends, type });
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure;
      return toast(entryTexts.notRelated(failure.message), { bad: true });
    }
    toast(entryTexts.related);
    changed();
    onClose();
  };
  return (
    <div class="rel-form" role="group" aria-label={entryTexts.addRelation}>
      <div class="field">
        <label for="relation-type">{entryTexts.relationType}</label>
        <span class="select">
          <select id="relation-type" class="input" value={choice} onChange={(event) => setChoice(event.currentTarget.value as Choice)}>
            {CHOICES.map((one) => {
              const [way, type] = one.split(' ') as ['out' | 'in', RelationType];
              return (
                <option key={one} value={one}>
                  {entryTexts.types[way][type]}
                </option>
              );
            })}
          </select>
          <Icon name="down" size="sm" />
        </span>
      </div>
      <EntryPicker id="relation-target" except={id} onPick={(memory) => void add(memory)} onLeave={onClose} />
      <button type="button" class="btn btn--quiet" onClick={onClose}>
        {entryTexts.cancel}
      </button>
    </div>
  );
}
