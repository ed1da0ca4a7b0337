import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Icon } from '../parts/icon.tsx';
import { Tags } from '../parts/tags.tsx';
import { related, type Relation } from '../api/entries.ts';
import type { Hit, Memory } from '../api/responses.ts';
import { go } from '../address.ts';
import type { Marker } from '../parts/marked.tsx';
import { WhyThisResult } from '../search/score.tsx';
import { scoredOf } from '../search/scored.ts';
import { useServer } from '../shell/server.tsx';
import { texts } from '../texts.ts';
import { entryTexts } from './texts.ts';
import { EntityList } from './entity-list.tsx';
import { EntryFacts } from './entry-facts.tsx';
import { EntryText } from './entry-text.tsx';
import { FactStrip } from './fact-strip.tsx';
import { HistoryList } from './history-list.tsx';
import { PassageList } from './passage-list.tsx';
import { RelationList, SimilarList } from './relation-list.tsx';
import { sourceLanguage } from './source-language.ts';
import type { TextRange } from './text-range.ts';
import { TagAdder } from './tag-adder.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import '../styles/details.css';
import { Button } from '../parts/button.tsx';

interface EntryDetailsProps {
  readonly memory: Memory;
  readonly relations: readonly Relation[];
  /** The memory as the list has it. */
  readonly hit: Hit | undefined;
  readonly marker: Marker;
  readonly asWritten: boolean;
  readonly onAsWritten: (asWritten: boolean) => void;
}

export function EntryDetails({ memory, relations, hit, marker, asWritten, onAsWritten }: EntryDetailsProps) {
  const { id, content } = memory;
  const others = useLoaded((signal) => related(id, signal), { about: id });
  const scored = hit === undefined ? undefined : scoredOf(hit);
  // A passage of an older version does not apply to this text.
  const best = hit !== undefined && isOf(hit.entry, content) ? hit.passage : undefined;
  const [asked, setAsked] = useState<{ readonly of: string; readonly stretch: TextRange }>();
  // The same for a requested passage.
  const chosen = asked?.of === content ? asked.stretch : undefined;
  const passage = chosen ?? best;
  const text = useRef<HTMLDivElement>(null);
  const isNew = useRef(false);
  const body = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    // The link that led here is gone with its memory.
    if (document.activeElement === document.body) body.current?.focus({ preventScroll: true });
  }, []);
  useLayoutEffect(() => {
    if (isNew.current) text.current?.querySelector('.best, .best-words')?.scrollIntoView({ block: 'center' });
    isNew.current = false;
  }, [chosen]);
  const show = (wanted: TextRange): void => {
    isNew.current = true;
    // A new object each time, so that a repeated click scrolls again.
    setAsked({ of: content, stretch: { ...wanted } });
  };
  return (
    <div ref={body} class="drawer-b" tabIndex={0} role="region" aria-label={texts.oneMemory}>
      <div class="drawer-main">
        {memory.metadata.superseded === true && <Superseded id={id} relations={relations} />}
        <div ref={text}>
          <EntryText
            text={content}
            language={chosen === undefined ? sourceLanguage(memory) : undefined}
            marker={marker}
            passage={passage}
            base={2}
            asWritten={asWritten}
            onAsWritten={onAsWritten}
          />
        </div>
        <FactStrip id={id} relations={relations} />
        {scored !== undefined && <WhyThisResult hit={scored} content={content} />}
        <RelationList id={id} relations={relations} related={others} />
        <SimilarList id={id} />
        <PassageList id={id} best={best} onShow={show} />
      </div>
      <AboutIt memory={memory} relations={relations} others={others.value} marker={marker} />
    </div>
  );
}

interface AboutItProps extends Pick<EntryDetailsProps, 'memory' | 'relations' | 'marker'> {
  readonly others: ReadonlyMap<string, Memory> | undefined;
}

/** Next to the text: facts, tags, entities and history. */
function AboutIt({ memory, relations, others, marker }: AboutItProps) {
  const { mayWrite } = useServer();
  return (
    <aside class="drawer-side" aria-label={entryTexts.details.facts}>
      <EntryFacts memory={memory} />
      <section aria-labelledby="details-tags">
        <h3 class="sec-h" id="details-tags">
          {texts.tags.label}
        </h3>
        <div class="row row--wrap tags-line">
          <Tags tags={memory.metadata.tags} marker={marker} />
          {mayWrite && <TagAdder memory={memory} />}
        </div>
      </section>
      <EntityList names={memory.metadata.entities ?? []} />
      <HistoryList memory={memory} relations={relations} others={others} />
    </aside>
  );
}

/** Whether this is the text that the list has, or begins with it. */
const isOf = ({ content: listed, metadata }: Memory, content: string): boolean =>
  content.length === (metadata.contentLength ?? listed.length) && content.startsWith(listed);

function Superseded({ id, relations }: { id: string; relations: readonly Relation[] }) {
  const newer = relations.find(({ type, targetId }) => type === 'supersedes' && targetId === id)?.sourceId;
  return (
    <div class="banner">
      <Icon name="warn" />
      <p>
        <b>{entryTexts.older}</b> {entryTexts.olderText}
      </p>
      {newer !== undefined && <Button look="sm" label={entryTexts.showNewer} onClick={() => go({ id: newer })} />}
    </div>
  );
}
