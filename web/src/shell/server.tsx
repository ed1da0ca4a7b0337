import { createContext, type ComponentChildren } from 'preact';
import { useCallback, useContext, useEffect, useMemo, useState } from 'preact/hooks';
import type { Filter } from '../address.ts';
import { ApiError, health, namespaces, lore } from '../api/client.ts';
import { keyring } from '../api/keyring.ts';
import type { HealthResponse, NamespaceSummary, Stats } from '../api/responses.ts';

const DEBOUNCE_MS = 30_000;
const OFFLINE_MS = 4_000;

interface Server {
  readonly state: 'unknown' | 'ready' | 'offline' | 'locked';
  readonly health: HealthResponse | undefined;
  /** Whether the key of this tab may make changes; false while unknown. */
  readonly mayWrite: boolean;
  readonly namespaces: readonly NamespaceSummary[];
  /** Most used first; empty until `needTags` was called. */
  readonly tags: Stats['topTags'];
  readonly needTags: () => void;
  /** Incremented when loaded data may be outdated: after a change, or when the server is back. */
  readonly version: number;
  readonly changed: () => void;
  /** Reports a request without a response: the server is then polled often until it is back. */
  readonly lost: () => void;
}

const ServerContext = createContext<Server | undefined>(undefined);

/** State of the server, refreshed in the background. */
export function useServer(): Server {
  const server = useContext(ServerContext);
  if (server === undefined) throw new Error('useServer needs a ServerProvider around it');
  return server;
}

/** The namespace to request: a key of one namespace may not request all. Undefined while the key's access is unknown. */
export function useScope(filter: Filter): Filter | undefined {
  const { health: answer, state } = useServer();
  if (filter.ns !== '') return filter;
  if (state === 'unknown' && keyring.key !== undefined) return undefined;
  const own = answer?.key.namespace;
  return own === undefined ? filter : { ...filter, ns: own };
}

/** Polls the server: often while it is down, seldom while it is up, never while the tab is hidden. */
function useHealth(onBack: () => void) {
  const [state, setState] = useState<Server['state']>('unknown');
  const [answer, setAnswer] = useState<HealthResponse>();
  const look = useCallback(async (background: boolean): Promise<void> => {
    try {
      setAnswer(await health({ background }));
      setState((before) => {
        if (before === 'offline' || before === 'locked') onBack();
        return 'ready';
      });
    } catch (error) {
      if (error instanceof ApiError) setState(error.offline ? 'offline' : error.locked ? 'locked' : 'ready');
    }
  }, []);
  useEffect(() => void look(false), []);
  useEffect(() => {
    const timer = setInterval(() => document.hidden || void look(true), state === 'offline' ? OFFLINE_MS : DEBOUNCE_MS);
    return () => clearInterval(timer);
  }, [state]);
  return { state, answer, look };
}

export function ServerProvider({ children }: { children: ComponentChildren }) {
  const [version, setVersion] = useState(0);
  const [known, setKnown] = useState<readonly NamespaceSummary[]>([]);
  const [tags, setTags] = useState<Stats['topTags']>([]);
  const [tagsWanted, setTagsWanted] = useState(false);
  const changed = useCallback(() => setVersion((before) => before + 1), []);
  const needTags = useCallback(() => setTagsWanted(true), []);
  const { state, answer, look } = useHealth(changed);
  const lost = useCallback(() => void look(true), []);
  useEffect(() => keyring.onUnlock(changed), []);

  // Namespaces and tags are optional: if they fail to load, the main view reports the error once.
  useEffect(() => {
    const leaving = new AbortController();
    namespaces(leaving.signal).then(setKnown, () => undefined);
    if (version > 0) void look(true);
    return () => leaving.abort();
  }, [version]);
  useEffect(() => {
    if (!tagsWanted) return;
    const leaving = new AbortController();
    lore.memories.stats({}, { signal: leaving.signal }).then(
      (all) => setTags(all.topTags),
      () => undefined,
    );
    return () => leaving.abort();
  }, [version, tagsWanted]);

  const mayWrite = answer === undefined ? keyring.key === undefined : answer.key.access === 'full';
  const server = useMemo(
    () => ({ state, health: answer, mayWrite, namespaces: known, tags, needTags, version, changed, lost }),
    [state, answer, known, tags, version],
  );
  return <ServerContext.Provider value={server}>{children}</ServerContext.Provider>;
}
