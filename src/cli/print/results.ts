import { isOfFile, type ScoredEntry } from '../../memory/entry.ts';
import type { SearchResults } from '../../memory/operations/operations.ts';
import { stdoutColors as pc } from './colors.ts';
import { aboutLine } from './entries.ts';
import { explanationLines } from './explanation.ts';
import { lineWidth, oneLine, printable } from './output.ts';
import { fit, wrap } from './text-width.ts';

const RESULT_LINES = 3;
const PASSAGE_LINES = 8;
const INDENT = '      ';

/** Results of a recall or search, best first: score, text, and a line of facts each; the best passage stands for a long text. */
export function formatResults(found: SearchResults): string {
  if (found.results.length === 0) return 'Nothing found.';
  const width = lineWidth();
  return found.results.map((result) => formatResult(result, { query: found.query, width })).join('\n');
}

function formatResult(result: ScoredEntry, { query, width }: { query: string; width: number }): string {
  const { entry, score, collapsed = [], archived, explanation } = result;
  const [first = '', ...more] = shownLines(result, width - INDENT.length);
  const quiet = [
    ...(archived === undefined ? [] : [`archived (${archived.reason}); \`lore archive restore ${entry.id}\` restores it`]),
    ...(collapsed.length === 0 ? [] : [`and ${collapsed.length} near duplicates: ${collapsed.join(' ')}`]),
    ...(explanation === undefined ? [] : explanationLines(explanation, `${query} ${entry.content}`)),
  ];
  return [
    `${pc.green(score.toFixed(2))}  ${first}`,
    ...more.map((line) => INDENT + line),
    aboutLine(entry, INDENT, width),
    ...quiet.map((line) => pc.dim(fit(INDENT + oneLine(line), width))),
  ].join('\n');
}

/**
 * For a passage of a file, the first lines unchanged, because indentation and line breaks are part of code. For other text, its beginning.
 */
function shownLines(result: ScoredEntry, width: number): string[] {
  const { entry, passage } = result;
  const text = printable(passage?.text ?? entry.content).replaceAll('\t', '  ');
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const isLaidOut = isOfFile(entry) && lines.every((line) => line.length < 2 * width);
  if (!isLaidOut) return wrap(bestText(result), width, RESULT_LINES);
  const shown = lines.slice(0, PASSAGE_LINES).map((line) => fit(line.trimEnd(), width));
  return lines.length > PASSAGE_LINES ? [...shown, '…'] : shown;
}

/** A hint about matching archived entries, if no result matches well. */
export function archiveHint({ archivedMatches = 0 }: SearchResults): string | undefined {
  if (archivedMatches === 0) return undefined;
  return `${archivedMatches === 1 ? '1 archived entry matches' : `${archivedMatches} archived entries match`}: --include-archived shows ${archivedMatches === 1 ? 'it' : 'them'}.`;
}

/** A short text as it is; for a long one the best passage, with marks where it was cut. */
function bestText({ entry, passage }: ScoredEntry): string {
  if (passage === undefined) return oneLine(entry.content);
  const isEnd = entry.content.slice(passage.end).trim() === '';
  return `${passage.start > 0 ? '… ' : ''}${oneLine(passage.text)}${isEnd ? '' : ' …'}`;
}
