import type { Memory, Priority } from '../api/responses.ts';
import { GLOBAL_NAMESPACE } from '../../../src/memory/vocabulary.ts';
import { texts } from '../texts.ts';
import { Icon } from './icon.tsx';
import { Moment } from './moment.tsx';

/** A priority as an icon and a word. */
export function PriorityMark({ priority }: { priority: Priority }) {
  return (
    <span class="prio" style={{ color: `var(--prio-${priority})` }}>
      <Icon name={`prio-${priority}`} size="sm" />
      {texts.priorities[priority]}
    </span>
  );
}

/** Importance as a ring that fills towards 1, and as a number. */
export function Importance({ value }: { value: number }) {
  const around = 2 * Math.PI * 5;
  return (
    <span title={texts.importance.importance}>
      <svg class="ring" viewBox="0 0 16 16" aria-hidden="true">
        <circle class="a" cx="8" cy="8" r="5" />
        <circle class="b" cx="8" cy="8" r="5" stroke-dasharray={`${(value * around).toFixed(1)} ${around.toFixed(1)}`} />
      </svg>
      <span class="sr">{texts.importance.importance} </span>
      <span class="num">{value.toFixed(2)}</span>
    </span>
  );
}

/** The facts under a memory: priority if not normal, namespace, day. */
export function Facts({ memory, importance = false, day = true }: { memory: Memory; importance?: boolean; day?: boolean }) {
  const { priority, namespace, timestamp } = memory.metadata;
  return (
    <span class="facts">
      {priority !== 'normal' && <PriorityMark priority={priority} />}
      <span title={namespace}>
        <Icon name={namespace === GLOBAL_NAMESPACE ? 'globe' : 'ns'} />
        <span class="clip">{namespace}</span>
      </span>
      {day && <Moment of={timestamp} />}
      {importance && <Importance value={memory.metadata.importance} />}
    </span>
  );
}
