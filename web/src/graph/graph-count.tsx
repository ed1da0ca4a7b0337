import { useAddress } from '../address.ts';
import { useServer } from '../shell/server.tsx';
import { graphTexts } from './texts.ts';
import type { Network, Shown } from './network.ts';

interface CountProps {
  readonly network: Network;
  readonly shown: Shown;
  /** Requested number of entries, and the maximum. */
  readonly most: number;
  readonly limit: number;
  readonly onMore: () => void;
}

/** How much of the store the picture shows, why not all, and how to show more. */
export function GraphCount({ network, shown, most, limit, onMore }: CountProps) {
  const { ns, seed } = useAddress();
  const { namespaces } = useServer();
  const counted = namespaces.filter(({ namespace }) => seed !== '' || ns === '' || namespace === ns);
  const all = counted.reduce((sum, { entries }) => sum + entries, 0);
  return (
    <p class="g-count">
      <span>{graphTexts.shown(shown.nodeCount, all, shown.linkCount)}</span>
      {network.truncated && most < limit && (
        <button type="button" class="btn btn--sm" onClick={onMore}>
          {graphTexts.more(limit)}
        </button>
      )}
      {network.truncated && most >= limit && <span>{graphTexts.narrow}</span>}
    </p>
  );
}
