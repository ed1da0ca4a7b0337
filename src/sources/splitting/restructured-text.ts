import type { Heading } from './markdown.ts';

const ADORNMENT = /^([=\-~^"'`#*+:.<>_])\1{2,}\s*$/;

/**
 * The headings of reStructuredText: lines with a row of signs below, or above and below. The order of first use determines the level of
 * each sign.
 */
export function underlinedHeadings(lines: readonly string[]): Heading[] {
  const styles: string[] = [];
  const headings: Heading[] = [];
  for (let line = 0; line + 1 < lines.length; line += 1) {
    const title = (lines[line] ?? '').trim();
    const below = ADORNMENT.exec(lines[line + 1] ?? '')?.[1];
    const above = ADORNMENT.exec(lines[line - 1] ?? '')?.[1];
    const isOver = above !== undefined && above === below;
    const stands = isOver || (lines[line - 1] ?? '').trim() === '';
    const isIndented = !isOver && /^\s/.test(lines[line] ?? '');
    if (below === undefined || title === '' || ADORNMENT.test(title) || !stands || isIndented) continue;
    if ((lines[line + 1] ?? '').trim().length < title.length) continue;
    const style = isOver ? `${below}${below}` : below;
    if (!styles.includes(style)) styles.push(style);
    headings.push({ line: isOver ? line - 1 : line, from: line + 2, level: styles.indexOf(style) + 1, title });
    line += 1;
  }
  return headings;
}
