import type { Run } from '../api/responses.ts';

/** An event at a point in time. */
export interface Mark {
  readonly kind: Run['kind'];
  readonly at: number;
  readonly text: string;
}

/** Width of a character in the widest fallback font. */
const LETTER = 6.5;
const GAP = 6;
/** Baselines of the labels, upper one first. */
const ROWS = [11, 24] as const;

/** Priority of labels if there is not room for all: the events that best explain a peak first. Frequent events get only a tick. */
const ORDER: readonly Run['kind'][] = ['migration', 'compaction', 'backup'];
const TICK = 5;

interface MarksProps {
  readonly marks: readonly Mark[];
  readonly x: (moment: number) => number;
  readonly room: number;
  readonly bottom: number;
}

/** Position of a label: a side of its line and a row. */
interface Place {
  readonly start: number;
  readonly end: number;
  readonly y: number;
}

/** A line per event, with its label if it does not overlap another. */
export function Marks({ marks, x, room, bottom }: MarksProps) {
  const taken: Place[] = [];
  const often = marks.filter(({ kind }) => kind === 'optimize');
  const placed = marks
    .filter(({ kind }) => kind !== 'optimize')
    .toSorted((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind) || b.at - a.at)
    .map((mark) => {
      const line = x(mark.at);
      const width = mark.text.length * LETTER;
      const place = ROWS.flatMap((y): Place[] => [
        { start: line + GAP, end: line + GAP + width, y },
        { start: line - GAP - width, end: line - GAP, y },
      ]).find(({ start, end, y }) => start >= 0 && end <= room && taken.every((other) => isApart({ start, end, y }, other)));
      if (place !== undefined) taken.push(place);
      return { ...mark, line, place };
    });
  return (
    <>
      {often.map(({ at }) => (
        <path key={at} class="tick" d={`M${x(at).toFixed(1)} ${bottom + 1}l${TICK / 2} ${TICK}h-${TICK}Z`} />
      ))}
      {placed.map(({ kind, at, text, line, place }) => (
        <g key={`${kind} ${at}`}>
          <path class="mark" d={`M${line.toFixed(1)} ${(place?.y ?? bottom - ROWS[0]) - 8}V${bottom}`} />
          {place !== undefined && (
            <text
              class="lab"
              x={place.start < line ? place.end : place.start}
              y={place.y}
              text-anchor={place.start < line ? 'end' : 'start'}
            >
              {text}
            </text>
          )}
        </g>
      ))}
    </>
  );
}

const isApart = (one: Place, other: Place): boolean => one.y !== other.y || one.start > other.end + GAP || one.end < other.start - GAP;
