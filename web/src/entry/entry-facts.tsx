import { Fragment, type ComponentChildren } from 'preact';
import type { Memory } from '../api/forms.ts';
import { Importance, PriorityMark } from '../parts/facts.tsx';
import { counted, fullMoment, shortDay } from '../parts/formats.ts';
import { Icon } from '../parts/icon.tsx';
import { copy } from '../parts/toasts.tsx';
import { texts } from '../texts.ts';

/** What a source reference says, as words; objects inside it are left as JSON. */
const referenceText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

type Row = readonly [string, ComponentChildren];

function standing({ metadata }: Memory): readonly Row[] {
  return [
    [texts.details.priority, <PriorityMark key="priority" priority={metadata.priority} />],
    [
      texts.details.importance,
      <span key="importance" class="facts">
        <Importance value={metadata.importance} />
      </span>,
    ],
    [texts.details.namespace, metadata.namespace],
  ];
}

function rows({ id, content, metadata }: Memory, brief: boolean): readonly Row[] {
  const edited = metadata.updatedAt !== metadata.timestamp;
  return [
    [texts.details.container, metadata.container],
    ...(brief && metadata.entities ? [[texts.details.names, metadata.entities.join(', ')] as const] : []),
    [texts.details.source, texts.sources[metadata.source] ?? metadata.source],
    ...Object.entries(metadata.sourceRef ?? {}).map(([name, value]) => [name, referenceText(value)] as const),
    [
      texts.details.saved,
      <time key="saved" dateTime={metadata.timestamp}>
        {fullMoment(metadata.timestamp)}
      </time>,
    ],
    ...(edited
      ? [
          [
            texts.details.changed,
            <time key="changed" dateTime={metadata.updatedAt}>
              {fullMoment(metadata.updatedAt)}
            </time>,
          ] as const,
        ]
      : []),
    ...(metadata.recalls !== undefined && metadata.lastRecalledAt !== undefined
      ? [[texts.entry.recalled, texts.entry.recalledOften(metadata.recalls, shortDay(metadata.lastRecalledAt))] as const]
      : []),
    [texts.details.length, counted(content.length, texts.details.character, texts.details.characters)],
    [texts.details.id, <CopyableId key="id" id={id} />],
  ];
}

/** What is known about a memory besides its text; `brief` leaves out what stands above a preview already. */
export function EntryFacts({ memory, brief = false }: { memory: Memory; brief?: boolean }) {
  const shown = brief ? rows(memory, brief) : [...standing(memory), ...rows(memory, brief)];
  return (
    <dl class="kv">
      {shown.map(([name, value]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}

function CopyableId({ id }: { id: string }) {
  return (
    <span class="row idrow">
      <code class="clip" title={id}>
        {id}
      </code>
      <button
        type="button"
        class="icon-btn icon-btn--sm"
        aria-label={texts.details.copyId}
        title={texts.details.copyId}
        onClick={() => void copy(id, texts.details.idCopied)}
      >
        <Icon name="copy" size="sm" />
      </button>
    </span>
  );
}
