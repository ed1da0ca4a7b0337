import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ApiError } from '../api/client.ts';
import { Failure, Skeleton } from '../parts/state.tsx';
import { useLate } from '../parts/use-late.ts';
import { texts } from '../texts.ts';

/** A view, or a part of one, whose code is fetched when it is first shown. */
export function lazyView<P extends object = object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  let loaded: ComponentType<P> | undefined;
  return function LazyView(props: P) {
    const [View, setView] = useState<ComponentType<P> | undefined>(() => loaded);
    const [failed, setFailed] = useState(false);
    const late = useLate(View === undefined);
    const fetchIt = (): void => {
      setFailed(false);
      load().then(
        (component) => {
          loaded = component;
          setView(() => component);
        },
        () => setFailed(true),
      );
    };
    useEffect(() => {
      if (View === undefined) fetchIt();
    }, []);
    if (View !== undefined) return <View {...props} />;
    if (failed) return <Failure error={new ApiError(0, texts.errors.network)} title={texts.errors.network} onRetry={fetchIt} />;
    return late ? <Skeleton /> : null;
  };
}
