import { isComplete, markUsed, fetchWhole } from '../api/client.ts';
import type { Hit, Memory } from '../api/responses.ts';
import { Facts } from '../parts/facts.tsx';
import { Icon } from '../parts/icon.tsx';
import { Tags } from '../parts/tags.tsx';
import { ArchivedMark } from '../search/archived-bar.tsx';
import type { Marker } from '../parts/marked.tsx';
import { WhyThisResult } from '../search/score.tsx';
import { scoredOf } from '../search/scored.ts';
import { entryTexts } from './texts.ts';
import { EntryActions } from './entry-actions.tsx';
import { EntryFacts } from './entry-facts.tsx';
import { EntryText } from './entry-text.tsx';
import { sourceLanguage } from './source-language.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { searchTexts } from '../search/texts.ts';

interface PreviewProps {
  readonly hit: Hit;
  readonly marker: Marker;
  readonly onOpen: () => void;
  readonly onForgotten: () => void;
}

/** The selected memory next to the list: text, tags, explanation, facts. */
export function Preview({ hit, marker, onOpen, onForgotten }: PreviewProps) {
  const entry = useWholeMemory(hit.entry);
  const isAll = isComplete(entry);
  const scored = scoredOf(hit);
  return (
    <article class="peek" aria-label={searchTexts.preview}>
      <header class="row peek-h">
        <Facts memory={entry} importance day={false} />
        <span class="grow" />
        {hit.archived === undefined ? (
          <>
            <EntryActions memory={entry} onForgotten={onForgotten} onCopied={scored && (() => markUsed(entry.id))} />
            <button type="button" class="btn btn--sm" onClick={onOpen}>
              {entryTexts.details.open}
              <kbd>
                <Icon name="enter" size="sm" />
              </kbd>
            </button>
          </>
        ) : (
          <ArchivedMark hit={hit} />
        )}
      </header>
      <EntryText
        key={entry.id}
        text={entry.content}
        language={sourceLanguage(entry)}
        marker={marker}
        passage={isAll ? hit.passage : undefined}
        base={1}
      />
      <Tags tags={entry.metadata.tags} marker={marker} />
      {scored !== undefined && <WhyThisResult hit={scored} content={entry.content} />}
      <EntryFacts memory={entry} brief />
    </article>
  );
}

/** The whole memory; its beginning while it loads. */
function useWholeMemory(memory: Memory): Memory {
  const isAll = isComplete(memory);
  const { value } = useLoaded((signal) => fetchWhole(memory, signal), { about: `${memory.id} ${memory.metadata.updatedAt} ${isAll}` });
  return isAll ? memory : (value ?? memory);
}
