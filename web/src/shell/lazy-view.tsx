import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ApiError } from '../api/client.ts';
import { Failure, Skeleton } from '../parts/state.tsx';
import { useLate } from '../parts/use-late.ts';
import { texts } from '../texts.ts';

/** A view whose code is fetched when it is first shown. */
export function lazyView(load: () => Promise<ComponentType>): ComponentType {
  let loaded: ComponentType | undefined;
  return function LazyView() {
    const [View, setView] = useState<ComponentType | undefined>(() => loaded);
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
    if (View !== undefined) return <View />;
    if (failed) return <Failure error={new ApiError(0, texts.errors.network)} title={texts.errors.network} onRetry={fetchIt} />;
    return late ? <Skeleton /> : null;
  };
}
