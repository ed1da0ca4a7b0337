import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Filter } from '../address.ts';
import type { Memory } from '../api/responses.ts';
import { TagField } from '../parts/tag-field.tsx';
import { useServer } from '../shell/server.tsx';
import { NameInput } from '../parts/name-input.tsx';
import { texts } from '../texts.ts';
import { bulkTexts } from './bulk-texts.ts';
import { BulkDialog, type BulkProps } from './bulk-dialog.tsx';
import { previewForgetting, previewMoving, previewTagging, targetsOf, type BulkResult, type BulkPreview, type Targets } from './bulk.ts';
import { usePreview } from './use-preview.ts';
import type { Selection } from './use-selection.ts';
import { actionTexts } from '../entry/action-texts.ts';

interface ActionProps extends BulkProps {
  readonly targets: Targets;
  readonly first: readonly Memory[];
  readonly total: number;
}

function ForgetMany({ targets, ...props }: ActionProps) {
  const state = usePreview('forget', (signal) => previewForgetting(targets, signal));
  const found = state.preview?.matches;
  const words = bulkTexts.forgetting;
  return (
    <BulkDialog
      {...props}
      title={words.title(found ?? props.total)}
      icon="forget"
      danger
      total={found ?? props.total}
      would={found === undefined ? undefined : words.explained}
      state={state}
      confirm={(changes) => words.confirm(changes === 0 ? props.total : changes)}
      keep={words.keep}
      said={({ count }) => actionTexts.forget.forgotten(count)}
    />
  );
}

function TagMany({ targets, ...props }: ActionProps) {
  const [add, setAdd] = useState<readonly string[]>([]);
  const [remove, setRemove] = useState<readonly string[]>([]);
  const words = bulkTexts.tagging;
  const isEmpty = add.length + remove.length === 0;
  const state = usePreview(
    JSON.stringify([add, remove]),
    isEmpty ? undefined : (signal): Promise<BulkPreview<BulkResult>> => previewTagging(targets, { add, remove }, signal),
  );
  const changes = state.preview?.changes;
  const said = changes === undefined ? undefined : changes === 0 ? words.none : words.would(changes);
  return (
    <BulkDialog
      {...props}
      title={words.title(props.total)}
      icon="tag"
      would={isEmpty ? words.nothing : said}
      state={state}
      confirm={(number) => words.confirm(number === 0 ? props.total : number)}
      keep={texts.cancel}
      said={({ count }) => words.done(count)}
    >
      <div class="field wide">
        <label for="bulk-add">{words.add}</label>
        <TagField id="bulk-add" tags={add} others={remove} waits removal={words.removeTag} onChange={setAdd} />
      </div>
      <div class="field wide">
        <label for="bulk-remove">{words.remove}</label>
        <TagField id="bulk-remove" tags={remove} others={add} creates={false} waits removal={words.removeTag} onChange={setRemove} />
      </div>
    </BulkDialog>
  );
}

function MoveMany({ targets, ...props }: ActionProps) {
  const { namespaces } = useServer();
  const [given, setGiven] = useState('');
  const to = given.trim();
  const words = bulkTexts.moving;
  const state = usePreview(to, to === '' ? undefined : (signal): Promise<BulkPreview<BulkResult>> => previewMoving(targets, to, signal));
  const { preview } = state;
  const merged = preview?.merged ?? 0;
  const moved = (preview?.changes ?? 0) - merged;
  const said = [...(moved > 0 ? [words.would(moved, to)] : []), ...(merged > 0 ? [words.merged(merged)] : [])];
  if (said.length === 0) said.push(words.none);
  return (
    <BulkDialog
      {...props}
      title={words.title(props.total)}
      icon="ns"
      would={to === '' ? words.nothing : preview && said.join(' ')}
      state={state}
      confirm={(number) => words.confirm(number === 0 ? props.total : number)}
      keep={texts.cancel}
      said={({ count, merged: archived = 0 }) =>
        [...(count > 0 || archived === 0 ? [words.done(count, to)] : []), ...(archived > 0 ? [words.doneMerged(archived)] : [])].join('. ')
      }
    >
      <div class="field wide">
        <label for="bulk-to">{words.to}</label>
        <NameInput id="bulk-to" known={namespaces.map(({ namespace }) => namespace)} value={given} onType={setGiven} />
      </div>
    </BulkDialog>
  );
}

const ACTIONS = { tag: TagMany, move: MoveMany, forget: ForgetMany };

/** The action and the selection at the time it was chosen. */
export interface ChosenAction {
  readonly action: keyof typeof ACTIONS;
  readonly selection: Selection;
  readonly filter: Filter;
  readonly now: Date;
}

/** Runs a bulk action in a dialog with a preview. */
export function BulkAction({ meant, ...props }: Omit<ActionProps, 'targets'> & { readonly meant: ChosenAction }) {
  const { action, selection, filter, now } = meant;
  const leaving = useMemo(() => new AbortController(), [meant]);
  const targets = useMemo(() => targetsOf(selection, filter, { signal: leaving.signal, now }), [meant]);
  useEffect(() => () => leaving.abort(), [meant]);
  const Action = ACTIONS[action];
  return <Action {...props} targets={targets} />;
}
