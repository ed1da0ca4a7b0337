import { useState } from 'preact/hooks';
import { VALUE_FIELDS, type ValueField } from '../../../src/memory/vocabulary.ts';
import { go, useAddress } from '../address.ts';
import { lore } from '../api/client.ts';
import { pageOf, pageText, Paging } from '../parts/paging.tsx';
import { Segments } from '../parts/segments.tsx';
import { BoxedFailure, Page } from '../parts/page.tsx';
import { Skeleton, State } from '../parts/state.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { useServer } from '../shell/server.tsx';
import { texts } from '../texts.ts';
import { NameMemories } from './name-memories.tsx';
import { RenameDialog } from './rename-dialog.tsx';
import { organizeTexts as words } from './texts.ts';
import { ValuesTable, type Sort } from './values-table.tsx';

const PAGE = 100;

/** Every namespace, tag or name with its number of memories, and how to rename it; or the memories with one name. */
export function OrganizeView() {
  const { part, name } = useAddress();
  const field = VALUE_FIELDS.find((one) => one === part) ?? VALUE_FIELDS[0];
  const fields = (
    <Segments
      legend={words.choose}
      name="organize"
      value={field}
      options={VALUE_FIELDS.map((one) => ({ value: one, label: words.fields[one] }))}
      onChoose={(one) => go({ part: one, q: '', page: '', name: '' })}
    />
  );
  return (
    <Page title={texts.views.organize} lead={words.lead} tools={fields}>
      {field === 'entities' && name !== '' ? <NameMemories name={name} /> : <AllValues field={field} />}
    </Page>
  );
}

function AllValues({ field }: { field: ValueField }) {
  const { q, page } = useAddress();
  const [sort, setSort] = useState<Sort>('-entries');
  const request = { field, contains: q, sort, limit: PAGE, offset: pageOf(page) * PAGE };
  const load = async (signal: AbortSignal) => ({ field, ...(await lore.bulk.values(request, { signal })) });
  const { last, value, error, again } = useLoaded(load, { about: JSON.stringify(request) });
  // While the user types, the last results stay.
  const shown = error === undefined && last?.field === field ? last : value;
  const turn = (next: number): void => go({ page: pageText(next) }, { replace: true });
  const resort = (next: Sort): void => {
    setSort(next);
    turn(0);
  };
  return (
    <>
      <input
        type="search"
        class="input"
        aria-label={words.filter}
        placeholder={words.filter}
        maxLength={256}
        value={q}
        onInput={(event) => go({ q: event.currentTarget.value, page: '' }, { replace: true })}
      />
      {shown === undefined && error === undefined && <Skeleton />}
      {shown === undefined && error !== undefined && <BoxedFailure error={error} title={words.failed} onRetry={again} />}
      {shown?.values.length === 0 && (
        <div class="box">
          <State icon="search" title={q === '' ? words.none : words.noMatch} text={q === '' ? words.noneText : words.noMatchText} />
        </div>
      )}
      {shown !== undefined && shown.values.length > 0 && <Values {...shown} sort={sort} onSort={resort} />}
      {shown !== undefined && <Paging {...shown} size={PAGE} words={words.paging} onPage={turn} />}
    </>
  );
}

function Values(props: Omit<Parameters<typeof ValuesTable>[0], 'onRename'>) {
  const { changed } = useServer();
  const [renamed, setRenamed] = useState<string>();
  const close = (): void => setRenamed(undefined);
  const done = (): void => {
    close();
    changed();
  };
  return (
    <>
      <ValuesTable {...props} onRename={setRenamed} />
      {renamed !== undefined && (
        <RenameDialog
          field={props.field}
          value={renamed}
          known={props.values.map(({ value }) => value)}
          onClose={close}
          onDone={done}
          onBack={changed}
        />
      )}
    </>
  );
}
