/** A section of a Markdown text: below a heading, or before the first one. */
export interface Section {
  /** Headings above it, outermost first, including its own; empty before the first. */
  readonly headings: readonly string[];
  /** Text including its heading line. */
  readonly text: string;
  /** First line of the section, from 1. */
  readonly line: number;
  /** Number of lines of its heading; 0 before the first. */
  readonly headingLines: 0 | 1 | 2;
  /** Whether there is nothing but the heading. */
  readonly isEmpty: boolean;
}

/** No backticks may follow the fence: such a line is inline code. */
const FENCE = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/;
const MARKS = /^ {0,3}(#{1,6})(?=[ \t]|$)/;
/** Optional closing marks of a heading. */
const CLOSING_MARKS = /(?:^|[ \t])#+$/;
const UNDERLINE = /^ {0,3}(=+|-+)[ \t]*$/;
/** Lines after which a row of dashes is a rule and not an underline. */
const NO_TITLE = /^\s*(?:$|#{1,6}(?:\s|$)|>|[-*+]\s|\d{1,9}[.)]\s|\||`{3}|~{3})|^(?: {4}|\t)/;
const TAG = /(?<=^|[\s([{,;])#([\p{L}\p{N}_/-]+)/gmu;

/** A heading, marked or underlined. */
interface Heading {
  /** 1 to 6. */
  readonly level: number;
  readonly title: string;
  /** Number of lines. */
  readonly lines: 1 | 2;
}

/** The heading at the start of a text; undefined if there is none. */
export function leadingHeading(text: string): Heading | undefined {
  return headingAt(text.replace(/^\s*\n/, '').split('\n', 2), 0);
}

/** Splits a text before each heading up to level `deepest`. Headings in code blocks do not count. */
export function sectionsOf(text: string, deepest = 2): Section[] {
  const lines = text.split('\n');
  const sections: Section[] = [];
  const above: Heading[] = [];
  let start = 0;
  let headingLines: Section['headingLines'] = 0;
  const close = (end: number): void => {
    const part = lines.slice(start, end);
    const isEmpty = part.slice(headingLines).every((line) => line.trim() === '');
    const headings = above.map(({ title }) => title);
    if (!isEmpty || headingLines > 0) sections.push({ headings, text: part.join('\n'), line: start + 1, headingLines, isEmpty });
  };
  for (const { at, heading } of headingsIn(lines)) {
    if (heading.level > deepest) continue;
    close(at);
    while ((above.at(-1)?.level ?? 0) >= heading.level) above.pop();
    above.push(heading);
    [start, headingLines] = [at, heading.lines];
  }
  close(lines.length);
  return sections;
}

function* headingsIn(lines: readonly string[]): Generator<{ at: number; heading: Heading }> {
  for (const { at, isCode } of codeBlocks(lines)) {
    const heading = isCode ? undefined : headingAt(lines, at);
    if (heading !== undefined) yield { at, heading };
  }
}

/** Each line, with whether it is in a fenced code block. */
function* codeBlocks(lines: readonly string[]): Generator<{ at: number; isCode: boolean }> {
  let fence: string | undefined;
  for (const [at, line] of lines.entries()) {
    const mark = FENCE.exec(line)?.[1];
    yield { at, isCode: fence !== undefined || mark !== undefined };
    if (fence === undefined) fence = mark;
    else if (mark?.startsWith(fence) && line.trim() === mark) fence = undefined;
  }
}

function headingAt(lines: readonly string[], at: number): Heading | undefined {
  const line = (lines[at] ?? '').replace(/\r$/, '');
  const marks = MARKS.exec(line);
  if (marks !== null) {
    const title = line.slice(marks[0].length).trim().replace(CLOSING_MARKS, '').trim();
    return { level: marks[1]?.length ?? 1, title, lines: 1 };
  }
  const underline = UNDERLINE.exec((lines[at + 1] ?? '').replace(/\r$/, ''))?.[1];
  if (underline === undefined || NO_TITLE.test(line)) return undefined;
  return { level: underline.startsWith('=') ? 1 : 2, title: line.trim(), lines: 2 };
}

/** The distinct `#tags` in a text outside of code, by the rules of Obsidian: not only digits, after a blank or at the start of a line. */
export function tagsIn(text: string): string[] {
  const lines = text.split('\n');
  const prose = [...codeBlocks(lines)].flatMap(({ at, isCode }) => (isCode ? [] : withoutCode(lines[at] ?? '')));
  const found = [...prose.join('\n').matchAll(TAG)].map(([, tag = '']) => tag.replaceAll(/^\/+|(?<!\/)\/+$/g, ''));
  return [...new Set(found)].filter((tag) => tag !== '' && !/^[\d/_-]+$/.test(tag));
}

/** Removes code spans from a line: from a run of backticks to the next of equal length. */
function withoutCode(line: string): string {
  const runs = [...line.matchAll(/`+/g)].map(({ 0: run, index }) => ({ length: run.length, index }));
  /** Index of the last run of each length, beyond which no closing run exists. */
  const last = new Map(runs.map(({ length }, nth) => [length, nth]));
  let prose = '';
  let end = 0;
  for (let nth = 0; nth < runs.length; nth++) {
    const { length = 0, index = 0 } = runs[nth] ?? {};
    if ((last.get(length) ?? 0) <= nth) continue;
    do nth += 1;
    while (runs[nth]?.length !== length);
    prose += `${line.slice(end, index)} `;
    end = (runs[nth]?.index ?? 0) + length;
  }
  return prose + line.slice(end);
}
