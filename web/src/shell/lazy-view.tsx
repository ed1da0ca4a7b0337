import { Fragment, type ComponentChildren, type ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ApiError } from '../api/client.ts';
import { Failure, Skeleton } from '../parts/state.tsx';
import { useDelayed } from '../parts/use-delayed.ts';
import { texts } from '../texts.ts';

const soon: (() => Promise<unknown>)[] = [];

/** Preloads code that is likely to be needed next. Safe to repeat. */
export function preloadViews(): void {
  // A failed preload is repeated, or reported, when the code is needed.
  for (const fetchIt of soon) fetchIt().catch(() => undefined);
}

interface LazyOptions {
  /** Allows preloading. */
  readonly isSoon?: boolean;
  /** Shown around the skeleton or the failure of the loading. */
  readonly Frame?: ComponentType<{ children: ComponentChildren }>;
}

/** A view whose code is loaded when it is first shown. */
export function lazyView<P extends object = object>(
  load: () => Promise<ComponentType<P>>,
  { isSoon = false, Frame = Fragment }: LazyOptions = {},
): ComponentType<P> {
  let loaded: ComponentType<P> | undefined;
  const fetchIt = async (): Promise<ComponentType<P>> => (loaded ??= await load());
  if (isSoon) soon.push(fetchIt);
  return function LazyView(props: P) {
    const [View, setView] = useState<ComponentType<P> | undefined>(() => loaded);
    const [failed, setFailed] = useState(false);
    const late = useDelayed(View === undefined);
    const show = (): void => {
      setFailed(false);
      fetchIt().then(
        (component) => setView(() => component),
        () => setFailed(true),
      );
    };
    useEffect(() => {
      if (View === undefined) show();
    }, []);
    if (View !== undefined) return <View {...props} />;
    if (!failed)
      return late ? (
        <Frame>
          <Skeleton />
        </Frame>
      ) : null;
    return (
      <Frame>
        <Failure error={new ApiError(0, texts.errors.network)} title={texts.errors.network} onRetry={show} />
      </Frame>
    );
  };
}
