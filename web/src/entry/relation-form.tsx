import { useState } from 'preact/hooks';
import type { RelationType } from '../../../src/memory/relation.ts';
import { RELATION_TYPES } from '../../../src/memory/vocabulary.ts';
import { relate } from '../api/entries.ts';
import type { Memory } from '../api/forms.ts';
import { attempt } from '../parts/attempt.ts';
import { Select } from '../parts/select.tsx';
import { toast } from '../parts/toasts.tsx';
import { useServer } from '../shell/server.tsx';
import { entryTexts } from './texts.ts';
import { EntryPicker } from './entry-picker.tsx';

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
    if (!(await attempt(() => relate({ ...ends, type }), entryTexts.notRelated))) return;
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
      <button type="button" class="btn btn--quiet" onClick={onClose}>
        {entryTexts.cancel}
      </button>
    </div>
  );
}
