/** Longer texts are shown as plain text, because parsing would take too long. UTF-16 units. */
const MAX_CHARS = 60_000;
/** Nesting limit of quotes and lists; people do not write deeper ones. */
const MAX_DEPTH = 12;
const MAX_INDENT = 32;

const FENCE = /^ {0,3}(?:`{3}|~{3})/;
const HEADING = /^#{1,6} \S/;
const QUOTE = /^> ?\S/;
const ITEM = /^ {0,3}(?:[-*+]|\d{1,3}[.)]) \S/;
const TABLE_RULE = /^[ :|-]+$/;
/** Lengths are bounded, so that matching stays linear. */
const INLINE = /\*\*[^\s*][^*]{0,300}\*\*|`[^`]{1,300}`|\[[^[\]]{1,300}\]\((?:https?:|mailto:)/;
const CODE =
  /[;{}]\s*$|^\s*(?:import|export|from|def|class|const|let|var|func|function|fn|return|if|elif|for|while|public|private|#include)\b.*[:;{(=]/;
const CODE_SHARE = 1 / 3;

/** Whether a text is likely to be Markdown: plain notes and bare code are shown unchanged. */
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

/** A script comment looks like a heading, but the next line follows directly. */
const isAlone = (lines: readonly string[], at: number): boolean => (lines[at - 1] ?? '') === '' && (lines[at + 1] ?? '') === '';

function isDeep(text: string): boolean {
  for (const line of text.split('\n')) {
    const lead = /^[\s>*+.)\d-]*/.exec(line)?.[0] ?? '';
    const marks = lead.match(/>|[*+-](?=\s)|\d[.)](?=\s)/g)?.length ?? 0;
    if (marks > MAX_DEPTH || (marks > 0 && /^\s*/.exec(lead)![0].length > MAX_INDENT)) return true;
  }
  return false;
}
