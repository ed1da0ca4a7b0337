import { useEffect, useState } from 'preact/hooks';
import { ApiError } from '../api/client.ts';
import { request } from '../api/request.ts';
import { Icon } from '../parts/icon.tsx';
import { Failure, Skeleton } from '../parts/state.tsx';
import { copy, Toasts } from '../parts/toasts.tsx';
import { Brand } from '../shell/brand.tsx';
import { KeyDialog } from '../shell/key-dialog.tsx';
import { ThemeSwitch } from '../shell/theme.tsx';
import { texts as shared } from '../texts.ts';
import { groupsOf, type Group, type OpenApi } from './document.ts';
import { Method, RouteCard } from './route-card.tsx';
import { texts } from './texts.ts';

function useDocument() {
  const [document, setDocument] = useState<OpenApi>();
  const [error, setError] = useState<ApiError>();
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const leaving = new AbortController();
    setError(undefined);
    request<OpenApi>('/openapi.json', { signal: leaving.signal }).then(setDocument, (failure: unknown) => {
      if (leaving.signal.aborted) return;
      if (!(failure instanceof ApiError)) throw failure;
      setError(failure);
    });
    return () => leaving.abort();
  }, [attempt]);
  return { document, error, again: () => setAttempt((before) => before + 1) };
}

/** The HTTP API of this server, as its own document describes it. */
export function DocsPage() {
  const { document, error, again } = useDocument();
  const groups = document === undefined ? [] : groupsOf(document, texts);
  useEffect(() => {
    // The browser looked for the place in the address before there was anything on the page.
    if (document !== undefined && location.hash !== '') globalThis.document.getElementById(location.hash.slice(1))?.scrollIntoView();
  }, [document]);
  return (
    <>
      <a class="skip" href="#main">
        {shared.skip}
      </a>
      <div class="app app--docs">
        <Contents groups={groups} />
        <main class="main" id="main" tabIndex={-1}>
          <Top />
          <div class="page docs">
            <header class="page-h">
              <div>
                <h1>
                  {texts.title} {document !== undefined && <span class="dim num">{document.info.version}</span>}
                </h1>
                <p>{document?.info.description ?? texts.lead}</p>
              </div>
              {document !== undefined && (
                <button type="button" class="btn" onClick={() => void copy(JSON.stringify(document, null, 2), texts.rawCopied)}>
                  <Icon name="copy" />
                  {texts.raw}
                </button>
              )}
            </header>
            {error !== undefined && (
              <div class="box">
                <Failure error={error} title={texts.failed} onRetry={again} />
              </div>
            )}
            {error === undefined && document === undefined && <Skeleton />}
            {document !== undefined && groups.map((group) => <GroupSection key={group.name} document={document} group={group} />)}
          </div>
        </main>
      </div>
      <Toasts />
      <KeyDialog />
    </>
  );
}

function GroupSection({ document, group }: { document: OpenApi; group: Group }) {
  return (
    <section class="sect">
      <h2>{group.name}</h2>
      {group.description !== undefined && <p class="ink2">{group.description}</p>}
      {group.routes.map((route) => (
        <RouteCard key={route.id} document={document} route={route} />
      ))}
    </section>
  );
}

function Contents({ groups }: { groups: readonly Group[] }) {
  return (
    <aside class="side" aria-label={shared.main}>
      <Brand />
      <nav aria-label={shared.views.label}>
        <ul class="nav">
          <li>
            <a href="/">
              <Icon name="search" />
              {texts.memories}
            </a>
          </li>
          <li>
            <a href="/docs" aria-current="page">
              <Icon name="book" />
              {texts.title}
            </a>
          </li>
        </ul>
      </nav>
      <nav aria-label={texts.contents}>
        {groups.map(({ name, routes }) => (
          <div key={name}>
            <div class="side-h">
              <h2>{name}</h2>
            </div>
            <ul class="nav ns">
              {routes.map(({ id, method, path }) => (
                <li key={id}>
                  <a href={`#${id}`} title={`${method.toUpperCase()} ${path}`}>
                    <Method method={method} />
                    <code class="clip">{path}</code>
                  </a>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
      <div class="side-foot">
        <ThemeSwitch name="theme" />
      </div>
    </aside>
  );
}

function Top() {
  return (
    <header class="top-m">
      <Brand />
      <span class="row">
        <ThemeSwitch name="theme-small" />
        <a class="btn btn--sm" href="/">
          {texts.memories}
        </a>
      </span>
    </header>
  );
}
