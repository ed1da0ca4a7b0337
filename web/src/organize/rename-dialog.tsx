import { useState } from 'preact/hooks';
import type { ValueField } from '../../../src/memory/vocabulary.ts';
import { nameOf, tag } from '../api/bulk.ts';
import { lore } from '../api/client.ts';
import { BulkDialog, type BulkProps } from '../browse/bulk-dialog.tsx';
import { previewMoving, previewTagging, type BulkResult, type BulkPreview } from '../browse/bulk.ts';
import { usePreview } from '../browse/use-preview.ts';
import { NameInput } from '../parts/name-input.tsx';
import { texts } from '../texts.ts';
import { organizeTexts } from './texts.ts';

const words = organizeTexts.renaming;
const MOST = 1000;

interface Renaming {
  readonly field: ValueField;
  readonly from: string;
  readonly to: string;
}

/** How many memories have a value. */
async function entriesOf(field: ValueField, value: string, signal: AbortSignal): Promise<number> {
  const { values } = await lore.bulk.values({ field, contains: value, limit: MOST }, { signal });
  return values.find((one) => one.value === value)?.entries ?? 0;
}

async function renaming({ field, from, to }: Renaming, signal: AbortSignal): Promise<BulkPreview<BulkResult>> {
  if (field === 'namespaces') return await previewMoving(() => Promise.resolve([{ namespace: from }]), to, signal);
  const [selected, way] = field === 'tags' ? [{ tags: [from] }, tag] : [{}, nameOf(from)];
  return await previewTagging(() => Promise.resolve([selected]), { add: [to], remove: [from] }, signal, way);
}

interface RenameDialogProps extends BulkProps {
  readonly field: ValueField;
  readonly value: string;
  readonly known: readonly string[];
}

/** Renames a namespace, a tag or an entity; if the new name exists, it first warns that both are merged. */
export function RenameDialog({ field, value: from, known, ...props }: RenameDialogProps) {
  const [given, setGiven] = useState(from);
  const [there, setThere] = useState(0);
  const to = given.trim();
  const isSame = to === '' || to === from;
  const preview = async (signal: AbortSignal): Promise<BulkPreview<BulkResult>> => {
    setThere(await entriesOf(field, to, signal));
    return await renaming({ field, from, to }, signal);
  };
  const state = usePreview(to, isSame ? undefined : preview);
  const { changes = 0, merged = 0 } = state.preview ?? {};
  const outlook = changes === 0 ? words.none : there > 0 ? words.merge(to, changes, there) : words.would(changes);
  return (
    <BulkDialog
      {...props}
      title={words.title(from)}
      icon="edit"
      first={[]}
      total={0}
      would={isSame ? words.nothing : state.preview && [outlook, ...(merged > 0 ? [words.archived(merged)] : [])].join(' ')}
      state={state}
      confirm={() => words.confirm(!isSame && there > 0)}
      keep={texts.cancel}
      said={({ count, merged: archived = 0 }) => words.done(from, to, count + archived)}
    >
      <p>{organizeTexts.hints[field]}</p>
      <div class="field wide">
        <label for="rename-to">{words.to}</label>
        <NameInput id="rename-to" known={known.filter((name) => name !== from)} value={given} onType={setGiven} />
      </div>
    </BulkDialog>
  );
}
