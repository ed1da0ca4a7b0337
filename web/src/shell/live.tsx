import { useEffect, useRef } from 'preact/hooks';
import type { StoreEvent } from '../api/events.ts';
import { count } from '../parts/formats.ts';
import { texts } from '../texts.ts';
import { liveFeed, type LiveState } from './live-feed.ts';
import { useServer } from './server.tsx';
import { watched } from '../parts/watched.ts';
import { IconButton } from '../parts/button.tsx';

/** Minimum interval between reloads of a view. */
const RELOAD_MS = 1_500;

/** Number of memories added since the page was opened, from live events. */
const arrivals = watched(0);
const arrived = (number: number): void => arrivals.set(arrivals.get() + number);

/** State of live updates, with pause and resume. */
export const useLive = (): { readonly state: LiveState; readonly pause: () => void; readonly resume: () => void } => ({
  state: liveFeed.state.use(),
  pause: () => liveFeed.pause(),
  resume: () => liveFeed.resume(),
});

/** Applies live updates to everything on the page. Renders nothing; mounted once. */
export function LiveUpdates() {
  const { changed, state } = useServer();
  const reload = useRef<{ timer?: number; at: number }>({ at: 0 });
  useEffect(() => {
    const { current } = reload;
    const stop = liveFeed.start((event: StoreEvent) => {
      if ('saved' in event) arrived(event.saved);
      else if (event.type === 'saved') arrived(event.count);
      current.timer ??= window.setTimeout(
        () => {
          delete current.timer;
          current.at = performance.now();
          changed();
        },
        Math.max(0, current.at + RELOAD_MS - performance.now()),
      );
    });
    return () => {
      clearTimeout(current.timer);
      stop();
    };
  }, []);
  useEffect(() => {
    if (state === 'ready') liveFeed.wake();
  }, [state]);
  return null;
}

export function LiveStatus() {
  const { state, pause, resume } = useLive();
  const number = arrivals.use();
  const paused = state === 'paused';
  return (
    <div class={`row live live--${state}`}>
      <span class={state === 'live' ? 'status grow' : 'status status--off grow'} role="status" title={texts.live.explained[state]}>
        {texts.live.states[state]}
      </span>
      {number > 0 && (
        <span class="num hint" title={texts.live.arrived(number)}>
          <span aria-hidden="true">+{count(number)}</span>
          <span class="sr">{texts.live.arrived(number)}</span>
        </span>
      )}
      <IconButton
        icon={paused ? 'play' : 'pause'}
        label={paused ? texts.live.resume : texts.live.pause}
        size="xs"
        onClick={paused ? resume : pause}
      />
    </div>
  );
}
