import type { Memory } from '../api/responses.ts';
import { Importance, PriorityMark } from '../parts/facts.tsx';
import { counted, fullMoment, shortDay } from '../parts/formats.ts';
import { KeyValues, type Row } from '../parts/key-values.tsx';
import { copyId } from './copying.ts';
import { texts } from '../texts.ts';
import { entryTexts } from './texts.ts';
import { IconButton } from '../parts/button.tsx';
import { actionTexts } from './action-texts.ts';

/** A source reference as text; nested objects stay JSON. */
const referenceText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

function standing({ metadata }: Memory): readonly Row[] {
  return [
    [entryTexts.details.priority, <PriorityMark key="priority" priority={metadata.priority} />],
    [
      texts.importance.importance,
      <span key="importance" class="facts">
        <Importance value={metadata.importance} />
      </span>,
    ],
    [entryTexts.details.namespace, metadata.namespace],
  ];
}

function rows({ id, content, metadata }: Memory, brief: boolean): readonly Row[] {
  const edited = metadata.updatedAt !== metadata.timestamp;
  return [
    [entryTexts.details.container, metadata.container],
    ...(brief && metadata.entities ? [[entryTexts.details.names, metadata.entities.join(', ')] as const] : []),
    [entryTexts.details.source, texts.sources[metadata.source] ?? metadata.source],
    ...Object.entries(metadata.sourceRef ?? {}).map(([name, value]) => [name, referenceText(value)] as const),
    [
      entryTexts.details.saved,
      <time key="saved" dateTime={metadata.timestamp}>
        {fullMoment(metadata.timestamp)}
      </time>,
    ],
    ...(edited
      ? [
          [
            entryTexts.details.changed,
            <time key="changed" dateTime={metadata.updatedAt}>
              {fullMoment(metadata.updatedAt)}
            </time>,
          ] as const,
        ]
      : []),
    ...(metadata.recalls !== undefined && metadata.lastRecalledAt !== undefined
      ? [[entryTexts.recalled, entryTexts.recalledOften(metadata.recalls, shortDay(metadata.lastRecalledAt))] as const]
      : []),
    [
      entryTexts.details.length,
      counted(metadata.contentLength ?? content.length, entryTexts.details.character, entryTexts.details.characters),
    ],
    [entryTexts.details.id, <CopyableId key="id" id={id} />],
  ];
}

/** The facts of a memory; `brief` leaves out those already shown above a preview. */
export function EntryFacts({ memory, brief = false }: { memory: Memory; brief?: boolean }) {
  const shown = brief ? rows(memory, brief) : [...standing(memory), ...rows(memory, brief)];
  return <KeyValues rows={shown} />;
}

function CopyableId({ id }: { id: string }) {
  return (
    <span class="row idrow">
      <code class="clip" title={id}>
        {id}
      </code>
      <IconButton icon="copy" label={actionTexts.copyId} size="xs" onClick={() => copyId({ id })} />
    </span>
  );
}
