import { useEffect, useRef, useState } from 'preact/hooks';
import { admin, settings, type SettingsResponse, type CaptureStats } from '../api/administration.ts';
import { ApiError, health, lore } from '../api/client.ts';
import type { HealthResponse, Stats } from '../api/responses.ts';
import { useServer } from '../shell/server.tsx';
import { useLoaded } from '../parts/use-loaded.ts';

/** Refresh interval while something is running. */
const WATCH_MS = 1_000;

const REFUSED = 403;
const ABSENT = 404;

/** The response; or the status, if the key may not read it or this server does not support it. */
async function unlessRefused<T>(answer: Promise<T>): Promise<T | typeof REFUSED | typeof ABSENT> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ApiError && (error.status === REFUSED || error.status === ABSENT)) return error.status;
    throw error;
  }
}

const present = <T>(answer: T | number): T | undefined => (typeof answer === 'number' ? undefined : answer);

type Figures = Pick<Overview, 'health' | 'stats' | 'capture'>;

async function loadFigures(signal: AbortSignal): Promise<Figures> {
  const [healthy, counted, captured] = await Promise.all([
    health({ signal }),
    unlessRefused(lore.memories.stats({}, { signal })),
    unlessRefused(admin.capture.stats({}, { signal })),
  ]);
  return { health: healthy, stats: present(counted), capture: present(captured) };
}

function rightsOf({ key: { access, namespace } }: HealthResponse): Pick<Overview, 'mayWrite' | 'boundTo' | 'mayAdminister'> {
  const mayWrite = access === 'full';
  return { mayWrite, boundTo: namespace, mayAdminister: mayWrite && namespace === undefined };
}

function joined(
  set: SettingsResponse | number | undefined,
  now: HealthResponse | undefined,
  figures: Figures | undefined,
): Overview | undefined {
  if (set === undefined || now === undefined || figures === undefined) return undefined;
  return { ...figures, health: now, settings: present(set), ...rightsOf(now) };
}

const isMoving = ({ migration, embedder }: HealthResponse): boolean =>
  migration !== undefined || embedder.state === 'downloading' || embedder.state === 'loading';

/** The health of the store; reloaded every second during re-embedding or a model download. */
export function useOverview() {
  const { changed, health: polled } = useServer();
  const figures = useLoaded(loadFigures);
  const set = useLoaded((signal) => unlessRefused(settings(signal)), { follows: false });
  const { value: answer } = figures;
  const [watched, setWatched] = useState<HealthResponse>();
  const [begun, setBegun] = useState(false);
  const now = watched ?? answer?.health;
  const moving = begun || (now !== undefined && isMoving(now));
  const wasMoving = useRef(false);
  // Of several responses, the one received last wins.
  useEffect(() => setWatched(polled), [polled]);
  useEffect(() => setWatched(undefined), [answer]);
  useEffect(() => {
    if (!moving) {
      if (wasMoving.current) changed();
      wasMoving.current = false;
      return;
    }
    wasMoving.current = true;
    const look = async (): Promise<void> => {
      setWatched(await health({ background: true }));
      setBegun(false);
    };
    // A failed request is repeated at the next interval.
    const timer = setInterval(() => document.hidden || void look().catch(() => undefined), WATCH_MS);
    return () => clearInterval(timer);
  }, [moving]);
  const again = (): void => {
    figures.again();
    set.again();
  };
  return { overview: joined(set.value, now, answer), error: figures.error ?? set.error, again, watch: () => setBegun(true) };
}

/** Data that several sections share. Parts that the key may not see are absent. */
export interface Overview {
  readonly health: HealthResponse;
  readonly stats: Stats | undefined;
  readonly settings: SettingsResponse | undefined;
  readonly capture: CaptureStats | undefined;
  readonly mayWrite: boolean;
  /** The namespace that the key is bound to, if any. */
  readonly boundTo: string | undefined;
  /** Whether the key has full access to every namespace. */
  readonly mayAdminister: boolean;
}
