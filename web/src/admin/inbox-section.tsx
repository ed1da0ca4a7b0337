import { restoreRun } from '../api/forgetting.ts';
import type { Memory } from '../api/responses.ts';
import { admin, inbox, type Verdict } from '../api/administration.ts';
import { Facts } from '../parts/facts.tsx';
import { Link } from '../parts/link.tsx';
import { shortened, titleOf, withoutTurns } from '../parts/plain-text.ts';
import { toast, useBusy } from '../parts/toasts.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { useServer } from '../shell/server.tsx';
import { adminTexts } from './texts.ts';
import { focusHeading } from './parts.ts';
import { Section, PartFailure } from './section.tsx';
import { Button } from '../parts/button.tsx';
import type { Overview } from './use-overview.ts';

const words = adminTexts.inbox;
const TEXT_CHARS = 400;
const TITLE_CHARS = 40;

/** Captured entries that are not confirmed, with buttons to keep or archive them. */
export function InboxSection({ overview: { boundTo, mayWrite } }: { overview: Overview }) {
  const { value, error, again } = useLoaded((signal) => inbox(boundTo, signal), { about: boundTo ?? '' });
  const { busy, decide } = useDeciding();
  const { entries = [], total = 0 } = value ?? {};
  return (
    <Section part="inbox" folded={total > 0 || error !== undefined ? undefined : value === undefined ? '' : words.none}>
      <p class="ink2 small">{words.lead}</p>
      {error !== undefined && value === undefined && <PartFailure error={error} onRetry={again} />}
      {value !== undefined && entries.length === 0 && <p class="dim small">{words.none}</p>}
      {entries.length > 0 && (
        <>
          <ul class="box lined inbox" aria-label={words.list}>
            {entries.map((entry) => (
              <InboxItem key={entry.id} entry={entry} busy={busy || !mayWrite} onDecide={(verdict) => void decide([entry], verdict)} />
            ))}
          </ul>
          <div class="row row--wrap">
            {mayWrite && (
              <Button look="sm" label={words.keepAll(entries.length)} disabled={busy} onClick={() => void decide(entries, 'keep')} />
            )}
            {total > entries.length && <span class="dim small">{words.more(total - entries.length)}</span>}
          </div>
        </>
      )}
    </Section>
  );
}

interface InboxItemProps {
  readonly entry: Memory;
  readonly busy: boolean;
  readonly onDecide: (verdict: Verdict) => void;
}

function InboxItem({ entry, busy, onDecide }: InboxItemProps) {
  const title = titleOf(entry, TITLE_CHARS);
  return (
    <li>
      <p class="breaks">{withoutTurns(shortened(entry.content, TEXT_CHARS))}</p>
      <Facts memory={entry} />
      <div class="row row--wrap">
        <Button
          look="sm"
          icon="check"
          label={words.keep}
          disabled={busy}
          aria-label={words.keepOne(title)}
          onClick={() => onDecide('keep')}
        />
        <Link class="btn btn--sm btn--quiet" to={{ view: 'admin', part: 'inbox', id: entry.id }} aria-label={words.editOne(title)}>
          {words.edit}
        </Link>
        <Button look="quiet sm" label={words.drop} disabled={busy} aria-label={words.dropOne(title)} onClick={() => onDecide('drop')} />
        <Button
          look="quiet sm"
          label={words.never}
          disabled={busy}
          title={words.neverExplained}
          aria-label={words.neverOne(title)}
          onClick={() => onDecide('never')}
        />
      </div>
    </li>
  );
}

/** One decision at a time. The toast can undo an archived entry. */
function useDeciding() {
  const { changed } = useServer();
  const { isBusy: busy, during: run } = useBusy();
  const during = (work: () => Promise<void>): Promise<void> => run(work, words.failed).then(changed);
  const undo = async (run: string): Promise<void> => {
    await restoreRun(run);
    toast(words.back, { icon: 'restore' });
  };
  const decide = (entries: readonly Memory[], verdict: Verdict): Promise<void> =>
    during(async () => {
      const ids = entries.map(({ id }) => id);
      const { run } = await admin.capture.review({ ids: [...ids], verdict });
      toast(words.done[verdict](ids.length), run === undefined ? {} : { icon: 'archive', undo: () => void during(() => undo(run)) });
      // The focused button is gone.
      focusHeading('inbox-title');
    });
  return { busy, decide };
}
