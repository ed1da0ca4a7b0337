/** Longer texts are shown as they are written: to read them as Markdown would take too long. UTF-16 units. */
const MAX_CHARS = 60_000;
/** Quotes and lists inside one another; a text that goes deeper was not written by a person. */
const MAX_DEPTH = 12;
const MAX_INDENT = 32;

const FENCE = /^ {0,3}(?:`{3}|~{3})/;
const HEADING = /^#{1,6} \S/;
const QUOTE = /^> ?\S/;
const ITEM = /^ {0,3}(?:[-*+]|\d{1,3}[.)]) \S/;
const TABLE_RULE = /^[ :|-]+$/;
/** The lengths are bounded so that no line takes longer than its length. */
const INLINE = /\*\*[^\s*][^*]{0,300}\*\*|`[^`]{1,300}`|\[[^[\]]{1,300}\]\((?:https?:|mailto:)/;
const CODE =
  /[;{}]\s*$|^\s*(?:import|export|from|def|class|const|let|var|func|function|fn|return|if|elif|for|while|public|private|#include)\b.*[:;{(=]/;
const CODE_SHARE = 1 / 3;

/** Whether a text is likely to be Markdown: plain notes and bare code keep the look they were written in. */
export function looksLikeMarkdown(text: string): boolean {
  if (text.length > MAX_CHARS || isDeep(text)) return false;
  const lines = text.split('\n').map((line) => line.trimEnd());
  if (lines.some((line) => FENCE.test(line))) return true;
  const written = lines.filter((line) => line !== '');
  if (written.filter((line) => CODE.test(line)).length > written.length * CODE_SHARE) return false;
  let items = 0;
  for (const [at, line] of lines.entries()) {
    if (ITEM.test(line) && ++items > 1) return true;
    if (HEADING.test(line) && isAlone(lines, at)) return true;
    if (QUOTE.test(line) || INLINE.test(line)) return true;
    if (isTableRule(line) && lines[at - 1]?.includes('|') === true) return true;
  }
  return false;
}

const isTableRule = (line: string): boolean => line.includes('|') && line.includes('--') && TABLE_RULE.test(line);

/** A comment in a script begins like a heading, but has its line right below it. */
const isAlone = (lines: readonly string[], at: number): boolean => (lines[at - 1] ?? '') === '' && (lines[at + 1] ?? '') === '';

function isDeep(text: string): boolean {
  for (const line of text.split('\n')) {
    const lead = /^[\s>*+.)\d-]*/.exec(line)?.[0] ?? '';
    const marks = lead.match(/>|[*+-](?=\s)|\d[.)](?=\s)/g)?.length ?? 0;
    if (marks > MAX_DEPTH || (marks > 0 && /^\s*/.exec(lead)![0].length > MAX_INDENT)) return true;
  }
  return false;
}
