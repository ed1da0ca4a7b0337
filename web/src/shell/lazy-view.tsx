import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ApiError } from '../api/client.ts';
import { Failure, Skeleton } from '../parts/state.tsx';
import { texts } from '../texts.ts';

const PATIENCE_MS = 300;

/** A view whose code is fetched when it is first shown. */
export function lazyView(load: () => Promise<ComponentType>): ComponentType {
  let loaded: ComponentType | undefined;
  return function LazyView() {
    const [View, setView] = useState<ComponentType | undefined>(() => loaded);
    const [failed, setFailed] = useState(false);
    const [late, setLate] = useState(false);
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
      if (View !== undefined) return;
      fetchIt();
      const timer = setTimeout(() => setLate(true), PATIENCE_MS);
      return () => clearTimeout(timer);
    }, []);
    if (View !== undefined) return <View />;
    if (failed) return <Failure error={new ApiError(0, 'NETWORK', texts.errors.network)} title={texts.errors.network} onRetry={fetchIt} />;
    return late ? <Skeleton /> : null;
  };
}
