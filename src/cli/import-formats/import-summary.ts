import type { ImportLine, ImportPreview, ImportReport } from '../../memory/operations/operations.ts';
import type { Findings, LeftOut } from '../../sources/readers/findings.ts';
import { amount, lineWidth, oneLine } from '../print/output.ts';
import { fit } from '../print/text-width.ts';
import type { FolderOutcome } from './markdown-entries.ts';
import type { Format, FormatName, Reading } from './format.ts';
import type { Choice } from './formats.ts';
import { withoutUndefined } from '../../memory/without-undefined.ts';

const INDENT = '   ';

/** The report of an import, with facts from the reader. */
export interface ImportSummary extends Omit<ImportReport, 'errors' | 'notes'> {
  /** Present if nothing could be stored. */
  readonly success?: false;
  readonly error?: string;
  readonly code?: string;
  readonly exitCode?: number;
  readonly format: FormatName;
  /** For a folder written by `lore export --markdown`: the result for files of existing entries. */
  readonly folder?: FolderOutcome;
  /** Why this format was chosen, as a clause. */
  readonly why: string;
  /** Number of items in the input, by the plural of their kind. */
  readonly found: Readonly<Record<string, number>>;
  /** Parts of the input that are not imported. */
  readonly leftOut: readonly LeftOut[];
  /** Warnings for the user, in sentences. */
  readonly warnings: readonly string[];
  /** The first 1,000 bad lines; `place` is the position in the input. */
  readonly errors: readonly (ImportLine & { readonly place: string })[];
  /** The first 1,000 lines with parts that were left out or replaced. */
  readonly notes?: readonly (NonNullable<ImportReport['notes']>[number] & { readonly place: string })[];
}

interface SummaryParts {
  readonly choice: Choice;
  readonly reading: Reading;
  readonly findings: Findings;
  readonly folder?: FolderOutcome | undefined;
}

/** Combines the report of the import with the facts of the reader. */
export function summaryOf(report: ImportReport, parts: SummaryParts): ImportSummary {
  const { choice, reading, findings, folder } = parts;
  const remade = report.vectors?.remade ?? 0;
  const vectors = { what: 'vectors of another or an unknown model, computed again', count: remade, names: [] };
  const { notes, ...counts } = report;
  return {
    ...counts,
    ...(notes && { notes: notes.map((line) => ({ ...line, place: reading.place(line.line) })) }),
    ...withoutUndefined({ folder }),
    format: choice.format.name,
    why: choice.why,
    found: findings.found,
    leftOut: [...findings.leftOut, ...(remade > 0 ? [vectors] : [])],
    warnings: warningsOf(report, parts),
    errors: report.errors.map((line) => {
      const problem = reading.problem(line.line);
      return { ...line, ...withoutUndefined({ error: problem }), place: reading.place(line.line) };
    }),
  };
}

function warningsOf(report: ImportReport, { choice, reading }: { choice: Choice; reading: Reading }): string[] {
  const missing = (reading.header?.entries ?? 0) - (report.lines - (report.besides?.lines ?? 0));
  const isNothing = report.lines > 0 && report.invalid === report.lines;
  return [
    ...(report.warnings ?? []),
    ...(missing > 0 ? [`The file should have ${amount(missing, 'entry', 'entries')} more: it may have been cut off.`] : []),
    ...(report.redacted === undefined
      ? []
      : [`Secrets in ${amount(report.redacted, 'entry', 'entries')} were redacted before they were stored (memory.redactSecrets).`]),
    ...(report.withSecrets === undefined
      ? []
      : [
          `${amount(report.withSecrets, 'entry seems', 'entries seem')} to contain a secret and ${report.withSecrets === 1 ? 'is' : 'are'} stored unchanged. Set memory.redactSecrets to always to redact every text.`,
        ]),
    ...(isNothing && !choice.isSure ? ['The format was not recognised. Set it with --format.'] : []),
  ];
}

/** The summary as text. */
export function formatSummary(summary: ImportSummary, { strict, unit }: { strict: boolean; unit: Format['unit'] }): string {
  const blocks = [
    summary.format === 'jsonl' && !summary.dryRun ? '' : `Read as ${summary.format}: ${summary.why}.`,
    formatFound(summary.found),
    summary.folder !== undefined && summary.lines === 0 ? '' : formatCounts(summary, { strict, unit }),
    formatBesides(summary),
    formatFolder(summary),
    ...summary.leftOut.map(formatLeftOut),
    formatPreview(summary.preview ?? []),
  ];
  return blocks.filter((block) => block !== '').join('\n');
}

function formatFound(found: ImportSummary['found']): string {
  const parts = Object.entries(found).map(([what, count]) => `${what} ${count.toLocaleString('en-US')}`);
  return parts.length === 0 ? '' : `Found: ${parts.join(', ')}`;
}

function formatCounts(report: ImportSummary, { strict, unit }: { strict: boolean; unit: Format['unit'] }): string {
  const refused = report.invalid > 0 && strict;
  const verb = refused ? 'Nothing stored' : report.dryRun ? 'Would store' : 'Stored';
  const stored = refused ? '' : ` ${amount(report.stored, 'entry', 'entries')}`;
  const lines = report.lines - (report.besides?.lines ?? 0);
  return `${verb}${stored} from ${amount(lines, ...unit)}: ${amount(report.duplicates, 'was there already', 'were there already')}, ${report.invalid.toLocaleString('en-US')} bad.`;
}

function formatBesides({ besides, dryRun }: ImportSummary): string {
  if (besides === undefined) return '';
  const { relations, archived, versions } = besides;
  const kinds = [
    amount(relations, 'relation', 'relations'),
    amount(archived, 'archived entry', 'archived entries'),
    amount(versions, 'earlier version', 'earlier versions'),
  ];
  return `${dryRun ? 'Would also store' : 'Also stored'} ${kinds.join(', ')}.`;
}

function formatFolder({ folder, dryRun }: ImportSummary): string {
  if (folder === undefined) return '';
  const { updated, unchanged, older, forgotten, edited } = folder;
  const rest = [
    `${amount(unchanged, 'file is', 'files are')} unchanged`,
    ...(older === 0 ? [] : [`${amount(older, 'file is', 'files are')} older than the store`]),
    ...(forgotten === 0 ? [] : [`${amount(forgotten, 'entry', 'entries')} ${dryRun ? 'would be ' : ''}forgotten`]),
  ].join(', ');
  const names = edited.length === 0 ? '' : ` (${edited.map(oneLine).join(', ')}${updated > edited.length ? ', …' : ''})`;
  return `${dryRun ? 'Would update' : 'Updated'} ${amount(updated, 'entry', 'entries')}${names}; ${rest}.`;
}

function formatLeftOut({ what, count, names }: LeftOut): string {
  const list = names.map(oneLine).join(', ');
  const total = count.toLocaleString('en-US');
  if (names.length === 0) return `Left out (${what}): ${total}`;
  return `Left out (${what}): ${count > names.length ? `${total}, such as ` : ''}${list}`;
}

function formatPreview(entries: readonly ImportPreview[]): string {
  if (entries.length === 0) return '';
  const width = lineWidth();
  const shown = entries.map((entry, at) => {
    const about = [
      `namespace ${entry.namespace}`,
      entry.container === entry.namespace ? '' : `container ${entry.container}`,
      entry.tags.length === 0 ? '' : `tags ${entry.tags.join(', ')}`,
      `priority ${entry.priority}`,
      `importance ${entry.importance.toFixed(2)}`,
      entry.createdAt === undefined ? '' : `created ${entry.createdAt}`,
      entry.sourceRef === undefined ? '' : `from ${JSON.stringify(entry.sourceRef)}`,
    ];
    const line = about.filter((fact) => fact !== '').join(' · ');
    return `${fit(`${at + 1}. ${oneLine(entry.content)}`, width)}\n${fit(INDENT + oneLine(line), width)}`;
  });
  return `\n${entries.length === 1 ? 'As it' : 'The first as they'} would be stored:\n${shown.join('\n')}`;
}
