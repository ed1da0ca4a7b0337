import { go, type Address } from '../address.ts';
import type { Hit } from '../api/responses.ts';
import { useRestoring } from '../admin/use-restoring.ts';
import { fullMoment, shortDay } from '../parts/formats.ts';
import { Icon } from '../parts/icon.tsx';
import { useServer } from '../shell/server.tsx';
import { texts } from '../texts.ts';
import { resultTexts } from './result-texts.ts';
import type { Results } from './use-results.ts';
import { Button } from '../parts/button.tsx';

const words = resultTexts.archived;

/** Says how many archived memories match if other results are weak, and shows or hides them. */
export function ArchivedBar({ results, address }: { readonly results: Results; readonly address: Address }) {
  const { archivedMatches, query } = results;
  if (query === '' || (archivedMatches === 0 && !address.archived)) return null;
  const label = address.archived ? words.hide : words.show;
  return (
    <div class="row row--wrap archived-bar small">
      <Icon name="restore" size="sm" />
      <span role="status">{address.archived ? words.included : words.match(archivedMatches)}</span>
      <Button look="sm" label={label} onClick={() => go({ archived: !address.archived }, { replace: true })} />
    </div>
  );
}

/** Marks an archived result and offers to restore it. */
export function ArchivedMark({ hit: { entry, archived } }: { readonly hit: Hit }) {
  const { isRestoring, restoreIds } = useRestoring();
  const { mayWrite } = useServer();
  if (archived === undefined) return null;
  return (
    <span class="archived-mark">
      <span class="tag" title={fullMoment(archived.at)}>
        {words.mark(texts.archive.reasons[archived.reason], shortDay(archived.at))}
      </span>
      {mayWrite && <Button look="sm" icon="restore" label={words.restore} disabled={isRestoring} onClick={() => restoreIds([entry.id])} />}
    </span>
  );
}
