import { useEffect, useMemo, useState, useRef } from 'preact/hooks';
import { ApiError } from '../api/client.ts';
import { keyring } from '../api/keyring.ts';
import { problemOf, send } from '../api/request.ts';
import { Icon } from '../parts/icon.tsx';
import { Failure, Skeleton } from '../parts/state.tsx';
import { copy, Toasts } from '../parts/toasts.tsx';
import { KeyDialog } from '../shell/key-dialog.tsx';
import { texts as shared } from '../texts.ts';
import { Contents, TopBar } from './contents.tsx';
import { groupsOf, type Group, type OpenApi, type Route } from './document.ts';
import { Guide } from './guide.tsx';
import { RouteCard } from './route-card.tsx';
import { texts } from './texts.ts';
import { pressed } from '../shell/keys.ts';
import { useShortcuts } from '../shell/shortcuts.ts';
import { fuzzyMatch } from '../shell/fuzzy.ts';
import { Button, IconButton } from '../parts/button.tsx';

function useDocument() {
  const [document, setDocument] = useState<OpenApi>();
  const [error, setError] = useState<ApiError>();
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const leaving = new AbortController();
    setError(undefined);
    load(leaving.signal).then(setDocument, (failure: unknown) => {
      if (leaving.signal.aborted) return;
      if (!(failure instanceof ApiError)) throw failure;
      setError(failure);
    });
    return () => leaving.abort();
  }, [attempt]);
  return { document, error, again: () => setAttempt((before) => before + 1) };
}

async function load(signal: AbortSignal): Promise<OpenApi> {
  const response = await send('/openapi.json', {}, { signal });
  if (!response.ok) throw problemOf(response.status, await response.text());
  return (await response.json()) as OpenApi;
}

/** The decoded fragment of the address, which may be malformed. */
function placeOf(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(1));
  } catch {
    return '';
  }
}

/** Scrolls to the fragment of the address once the page is rendered, and clears a search that hides it. */
function usePlace(isThere: boolean, onHidden: () => void): void {
  useEffect(() => {
    if (!isThere) return;
    const goThere = (): void => {
      const id = placeOf(location.hash);
      if (id === '') return;
      if (document.getElementById(id)?.closest('[hidden]') !== null) onHidden();
      requestAnimationFrame(() => document.getElementById(id)?.scrollIntoView());
    };
    goThere();
    addEventListener('hashchange', goThere);
    return () => removeEventListener('hashchange', goThere);
  }, [isThere]);
}

/** The HTTP API of this server, rendered from its OpenAPI document. */
export function DocsPage() {
  const { document, error, again } = useDocument();
  const [question, setQuestion] = useState('');
  const groups = useMemo(() => (document === undefined ? [] : groupsOf(document, texts)), [document]);
  const found = useMemo(() => findRoutes(groups, question), [groups, question]);
  const shown = useMemo(() => new Set(found.flatMap(({ routes }) => routes.map(({ id }) => id))), [found]);
  usePlace(document !== undefined, () => setQuestion(''));
  return (
    <>
      <a class="skip" href="#main">
        {shared.skip}
      </a>
      <div class="app app--docs">
        <Contents groups={found} />
        <main class="main" id="main" tabIndex={-1}>
          <TopBar />
          <div class="page docs">
            <Head document={document} />
            {error !== undefined && (
              <div class="box">
                <Failure error={error} title={texts.failed} onRetry={again} />
              </div>
            )}
            {error === undefined && document === undefined && <Skeleton />}
            {document !== undefined && (
              <>
                <RouteSearch text={question} found={countRoutes(found)} all={countRoutes(groups)} onType={setQuestion} />
                {question.trim() === '' && <Guide keyed={keyring.key !== undefined} />}
                {found.length === 0 && <Nothing question={question} />}
                {groups.map((group) => (
                  <GroupSection key={group.name} document={document} group={group} shown={shown} />
                ))}
              </>
            )}
          </div>
        </main>
      </div>
      <Toasts />
      <KeyDialog />
    </>
  );
}

function Head({ document }: { document: OpenApi | undefined }) {
  return (
    <header class="page-h">
      <div>
        <h1>
          {texts.title} {document !== undefined && <span class="dim num">{document.info.version}</span>}
        </h1>
        <p>{texts.lead}</p>
      </div>
      {document !== undefined && (
        <Button icon="copy" label={texts.raw} onClick={() => void copy(JSON.stringify(document, null, 2), texts.rawCopied)} />
      )}
    </header>
  );
}

function Nothing({ question }: { question: string }) {
  return (
    <div class="state">
      <Icon name="search" />
      <h2>{texts.nothing(question.trim())}</h2>
      <p>{texts.nothingHelp}</p>
    </div>
  );
}

interface GroupProps {
  readonly document: OpenApi;
  readonly group: Group;
  /** Ids of the visible routes. Others stay mounted with their input. */
  readonly shown: ReadonlySet<string>;
}

function GroupSection({ document, group, shown }: GroupProps) {
  return (
    <section class="sect" hidden={!group.routes.some(({ id }) => shown.has(id))}>
      <h2>{group.name}</h2>
      {group.description !== undefined && <p class="ink2">{group.description}</p>}
      {group.routes.map((route) => (
        <RouteCard key={route.id} document={document} route={route} isHidden={!shown.has(route.id)} />
      ))}
    </section>
  );
}

interface RouteSearchProps {
  readonly text: string;
  readonly found: number;
  readonly all: number;
  readonly onType: (text: string) => void;
}

function RouteSearch({ text, found, all, onType }: RouteSearchProps) {
  const field = useRef<HTMLInputElement>(null);
  useShortcuts(pressed({ search: () => field.current?.focus() }));
  const clear = (): void => {
    onType('');
    field.current?.focus();
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.isComposing) return;
    event.preventDefault();
    if (text === '') field.current?.blur();
    else clear();
  };
  return (
    <form class="row docs-search" role="search" aria-label={texts.search.form} onSubmit={(event) => event.preventDefault()}>
      <div class="row searchline">
        <Icon name="search" />
        <input
          ref={field}
          type="search"
          aria-label={texts.search.label}
          placeholder={texts.search.placeholder}
          autocomplete="off"
          spellcheck={false}
          value={text}
          onInput={(event) => onType(event.currentTarget.value)}
          onKeyDown={onKey}
        />
        {text !== '' && <IconButton icon="x" label={texts.search.clear} size="sm" onClick={clear} />}
        <kbd>/</kbd>
      </div>
      <p class="count" role="status">
        {text.trim() === '' ? texts.search.all(all) : texts.search.found(found, all)}
      </p>
    </form>
  );
}

function wordsOf(group: Group, { method, path, id, operation, parameters }: Route): string {
  const { summary = '', description = '' } = operation;
  return [method, path, id, summary, description, group.name, ...parameters.map(({ name }) => name)].join(' ');
}

/** The routes that contain every word of the query, in their groups. */
function findRoutes(groups: readonly Group[], question: string): readonly Group[] {
  if (question.trim() === '') return groups;
  return groups
    .map((group) => ({ ...group, routes: group.routes.filter((route) => fuzzyMatch(question, wordsOf(group, route)) !== undefined) }))
    .filter(({ routes }) => routes.length > 0);
}

const countRoutes = (groups: readonly Group[]): number => groups.reduce((sum, { routes }) => sum + routes.length, 0);
