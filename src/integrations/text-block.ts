import type { Editor, PartOf } from './part.ts';

/** The comments that enclose a block. */
export interface Marks {
  readonly start: string;
  readonly end: string;
}

const MARKDOWN: Marks = { start: '<!-- lore:start -->', end: '<!-- lore:end -->' };

/** Edits a Markdown block between two comments. */
export function markdownEditor(part: PartOf<'markdown'>): Editor {
  return { ...blockEditor(part.text, MARKDOWN), fault: (text) => markFault(text, MARKDOWN) };
}

/** Edits a block of lines between markers. A new block is added at the end of the text. */
export function blockEditor(content: string, marks: Marks): Omit<Editor, 'fault'> {
  const find = (text: string): string | undefined => {
    const place = placeOf(text, marks);
    return (
      place &&
      text
        .slice(place.start + marks.start.length, place.end - marks.end.length)
        .replaceAll('\r\n', '\n')
        .trim()
    );
  };
  const take = (text: string): string => {
    const place = placeOf(text, marks);
    if (place === undefined) return text;
    // With the line break after it and the empty line before it, which were added with it.
    const before = text.slice(0, place.start).replace(/(^|\n)\r?\n$/, '$1');
    return before + text.slice(place.end).replace(/^\r?\n/, '');
  };
  const put = (text: string): string => {
    const eol = text.includes('\r\n') ? '\r\n' : '\n';
    const block = [marks.start, content, marks.end].join('\n').replaceAll('\n', eol);
    const place = placeOf(text, marks);
    if (place !== undefined) return text.slice(0, place.start) + block + text.slice(place.end);
    if (text.trim() === '') return block + eol;
    return `${text}${text.endsWith('\n') ? '' : eol}${eol}${block}${eol}`;
  };
  return { wanted: content.trim(), find, isOurs: () => true, put, take, makes: () => [] };
}

function placeOf(text: string, marks: Marks): { start: number; end: number } | undefined {
  const start = text.indexOf(marks.start);
  const end = text.indexOf(marks.end, start);
  return start === -1 || end === -1 ? undefined : { start, end: end + marks.end.length };
}

/** Why the markers in a text are invalid; undefined if they are valid or absent. */
export function markFault(text: string, marks: Marks): string | undefined {
  const isBroken = (text.includes(marks.start) || text.includes(marks.end)) && placeOf(text, marks) === undefined;
  return isBroken ? `it has only one of the markers ${marks.start} and ${marks.end}` : undefined;
}
