import type { IngestedFile, IngestReport } from '../../sources/ingest/report.ts';
import type { LeftOut } from '../../sources/readers/findings.ts';
import { amount, lineWidth, oneLine, table } from './output.ts';
import { fit } from './text-width.ts';

const INDENT = '   ';
const COLUMNS = [{ title: 'File', shrinkTo: 20 }, { title: 'Read as' }, { title: 'Entries' }] as const;

/** The report of an ingestion as text: new entries by file, then totals. */
export function formatIngestReport(report: IngestReport): string {
  const changed = report.report.filter(({ status }) => status === 'stored');
  const blocks = [
    changed.length === 0
      ? ''
      : table(
          COLUMNS,
          changed.map((file) => [file.file, file.format ?? '', change(file, report.dryRun)]),
        ),
    ...changed.flatMap(notesOf),
    sums(report),
    ...report.leftOut.map((each) => `Left out (${each.what}): ${namesOf(each)}`),
    preview(report),
  ];
  return blocks.filter((block) => block !== '').join('\n');
}

function change({ stored, kept, removed }: IngestedFile, dryRun: boolean): string {
  const parts = [
    `${stored.toLocaleString('en-US')} ${dryRun ? 'in all' : 'new'}`,
    kept > 0 ? `${kept.toLocaleString('en-US')} kept` : '',
    removed > 0 ? `${removed.toLocaleString('en-US')} removed` : '',
  ];
  return parts.filter((part) => part !== '').join(', ');
}

/** Notes for the user about a file. */
function notesOf({ file, notes, found, leftOut }: IngestedFile): string[] {
  const counts = Object.entries(found).map(([what, count]) => `${what} ${count.toLocaleString('en-US')}`);
  const all = [...notes, ...counts, ...leftOut.map((each) => `left out (${each.what}): ${namesOf(each)}`)];
  return all.length === 0 ? [] : [`${oneLine(file)}: ${all.map(oneLine).join('; ')}`];
}

function sums({ dryRun, stored, kept, removed, files, namespace }: IngestReport): string {
  const others = [
    kept > 0 ? `${amount(kept, 'entry', 'entries')} kept` : '',
    removed > 0 ? `${amount(removed, 'entry', 'entries')} removed` : '',
    files.unchanged > 0 ? `${amount(files.unchanged, 'file', 'files')} unchanged` : '',
    files.skipped > 0 ? `${files.skipped.toLocaleString('en-US')} skipped` : '',
    files.failed > 0 ? `${files.failed.toLocaleString('en-US')} failed` : '',
  ].filter((part) => part !== '');
  const verb = dryRun ? 'Would store' : 'Stored';
  const what = `${verb} ${amount(stored, 'entry', 'entries')} of ${amount(files.stored, 'file', 'files')} in ${oneLine(namespace)}`;
  return others.length === 0 ? `${what}.` : `${what}; ${others.join(', ')}.`;
}

function namesOf({ count, names }: LeftOut): string {
  const list = names.map(oneLine).join(', ');
  const total = count.toLocaleString('en-US');
  if (names.length === 0) return total;
  return count > names.length ? `${total}, such as ${list}` : list;
}

function linesOf(start: number | undefined, end = start): string {
  if (start === undefined) return '';
  return start === end ? `line ${start}` : `lines ${start} to ${end}`;
}

function preview({ preview: passages = [] }: IngestReport): string {
  if (passages.length === 0) return '';
  const width = lineWidth();
  const shown = passages.map(({ content, heading, tags = [], createdAt, start, end, details }, at) => {
    const about = [
      linesOf(start, end),
      heading === undefined ? '' : `under ${heading}`,
      tags.length === 0 ? '' : `tags ${tags.join(', ')}`,
      createdAt === undefined ? '' : `created ${createdAt}`,
      details === undefined ? '' : JSON.stringify(details),
    ];
    const line = about.filter((fact) => fact !== '').join(' · ');
    const first = fit(`${at + 1}. ${oneLine(content)}`, width);
    return line === '' ? first : `${first}\n${fit(INDENT + oneLine(line), width)}`;
  });
  return `\nThe first as they would be stored:\n${shown.join('\n')}`;
}
