import type { Memory } from '../api/responses.ts';
import { browseTexts } from './texts.ts';
import { dayName, dayParts, monthName, wholeDay } from './days.ts';
import { MemoryRow } from './memory-row.tsx';
import { placesIn, type Group, type Month, type Plan } from './plan.ts';
import type { RowActions } from './rows.ts';
import { drawn, type Viewport } from './use-viewport.ts';
import { Button } from '../parts/button.tsx';

interface ListProps {
  readonly plan: Plan;
  readonly viewport: Viewport;
  readonly total: number;
  readonly at: (place: number) => Memory | undefined;
  /** The keyboard position: always drawn, so that the focus is not lost. */
  readonly current: number;
  readonly isSelected: (id: string) => boolean;
  readonly actions: RowActions;
  /** Shows the rest of a day. */
  readonly onWhole: (day: string) => void;
}

/** Whether a range contains another. */
const meets = ({ top, height }: { top: number; height: number }, [from, to]: readonly [number, number]): boolean =>
  top < to && top + height > from;

const holds = ({ first, shown }: Group, place: number): boolean => place >= first && place < first + shown;

/** The drawn indexes of a day. */
function placesOf({ plan, viewport, current }: ListProps, group: Group): number[] {
  const [from, to] = placesIn(plan, group, drawn(viewport));
  const places = Array.from({ length: Math.max(0, to - from) }, (_, nth) => from + nth);
  if (!holds(group, current) || (current >= from && current < to)) return places;
  return current < from ? [current, ...places] : [...places, current];
}

/** A virtual list: only the visible memories are drawn. */
export function MemoryList(props: ListProps) {
  const { plan, viewport, current } = props;
  const range = drawn(viewport);
  const isDrawn = (part: { top: number; height: number; groups?: readonly Group[] }, group?: Group): boolean =>
    meets(part, range) || (group === undefined ? (part.groups?.some((one) => holds(one, current)) ?? false) : holds(group, current));
  return (
    <div class="canvas" style={{ height: `${plan.height}px` }}>
      {plan.months.length > 0
        ? plan.months.filter((month) => isDrawn(month)).map((month) => <MonthSection key={month.month} {...props} month={month} />)
        : plan.groups.filter((group) => isDrawn(group, group)).map((group) => <DaySection key={group.day} {...props} group={group} />)}
    </div>
  );
}

/** The drawn rows of a day. */
function Rows({ group, as, ...props }: ListProps & { readonly group: Group; readonly as: 'time' | 'day' | 'moment' }) {
  const { plan, total, at, current, isSelected, actions } = props;
  return (
    <>
      {placesOf(props, group).map((place) => {
        const memory = at(place);
        return (
          <MemoryRow
            key={memory?.id ?? place}
            as={as}
            memory={memory}
            place={place}
            total={total}
            top={plan.metrics.head + (place - group.first) * plan.metrics.row}
            current={place === current}
            selected={memory !== undefined && isSelected(memory.id)}
            actions={actions}
          />
        );
      })}
    </>
  );
}

/** A day of the list, or the whole list if it is not ordered by time. */
function DaySection({ group, ...props }: ListProps & { readonly group: Group }) {
  const byTime = group.day !== '';
  const { name, rest } = byTime ? dayName(group.day) : { name: browseTexts.everything, rest: '' };
  return (
    <section
      class="day-sec"
      style={{ top: `${group.top}px`, height: `${group.height}px` }}
      aria-label={byTime ? wholeDay(group.day) : name}
    >
      <h2 class={byTime ? 'day' : 'sr'}>
        {name}
        <span class="num">
          {rest} · {browseTexts.total(group.entries)}
        </span>
      </h2>
      <ul>
        <Rows {...props} group={group} as={byTime ? 'time' : 'day'} />
      </ul>
    </section>
  );
}

function MonthSection({ month, ...props }: ListProps & { readonly month: Month }) {
  const range = drawn(props.viewport);
  const shown = month.groups.filter((group) => meets(group, range) || holds(group, props.current));
  return (
    <section class="tl-sec" style={{ top: `${month.top}px`, height: `${month.height}px` }} aria-label={monthName(month.month)}>
      <h2 class="tl-month">
        {monthName(month.month)}
        <span class="num">{browseTexts.total(month.entries)}</span>
      </h2>
      {shown.map((group) => (
        <TimelineDay key={group.day} {...props} group={group} offset={month.top} />
      ))}
    </section>
  );
}

function TimelineDay({ group, offset, ...props }: ListProps & { readonly group: Group; readonly offset: number }) {
  const { head, row } = props.plan.metrics;
  const { day, weekday } = dayParts(group.day);
  const rest = group.entries - group.shown;
  return (
    <section class="tl-day" style={{ top: `${group.top - offset}px`, height: `${group.height}px` }} aria-label={wholeDay(group.day)}>
      <h3 class="tl-date">
        <b>{day}</b>
        <span class="hint">{weekday}</span>
      </h3>
      <ol class="tl-items">
        <Rows {...props} group={group} as="moment" />
        {rest > 0 && (
          <li class="tl-more" style={{ transform: `translateY(${head + group.shown * row}px)` }}>
            <Button look="quiet sm" icon="down" label={browseTexts.more(rest)} onClick={() => props.onWhole(group.day)} />
          </li>
        )}
      </ol>
    </section>
  );
}
