import { MAX_VERIFIED_IDS, type VerifiedFiles, type VerifyReport, type WrongFile } from '../../memory/operations/operations.ts';
import { amount } from './output.ts';

/** Whether something is altered or unreadable. */
export const hasFindings = ({ altered, unreadable, archiveUnreadable, files }: VerifyReport): boolean =>
  altered.length + unreadable.length > 0 || archiveUnreadable === true || (files?.wrong.length ?? 0) > 0;

/** Indexes are not counted, because they are rebuilt. */
const needsRepair = (report: VerifyReport): boolean =>
  hasFindings({
    ...report,
    ...(report.files && { files: { ...report.files, wrong: report.files.wrong.filter(({ kind }) => kind !== 'index') } }),
  });

/** The findings, one per line, then the number of entries and files read. */
export function formatVerification(report: VerifyReport): string[] {
  const { checked, altered, unreadable, archiveUnreadable } = report;
  const bad = altered.length + unreadable.length;
  const isCut = Math.max(altered.length, unreadable.length) >= MAX_VERIFIED_IDS;
  const not = `${bad.toLocaleString('en-US')}${isCut ? ' or more' : ''} not`;
  return [
    ...altered.map((id) => `${id} differs from the saved version`),
    ...unreadable.map((id) => `${id} cannot be read`),
    ...(archiveUnreadable === true ? ['The archive cannot be read.'] : []),
    ...(report.files?.wrong.map(wrongFile) ?? []),
    `${amount(checked, 'entry', 'entries')} read, ${bad === 0 ? 'all as saved' : not}.`,
    ...(report.files === undefined ? [] : [filesLine(report.files)]),
    ...(needsRepair(report) ? ['Stop the server; `lore doctor --repair` restores what it can and names the rest.'] : []),
  ];
}

/** Ids shown per file; --json has all. */
const SHOWN = 20;

function wrongFile({ path, table, kind, entries }: WrongFile): string {
  if (kind === 'index') return `${path} is altered: the indexes of ${table} are rebuilt, and nothing is lost`;
  const shown = entries.slice(0, SHOWN).join(', ');
  const more = entries.length > SHOWN ? ` and ${(entries.length - SHOWN).toLocaleString('en-US')} more` : '';
  const what = entries.length === 0 ? `in the table ${table}` : `with ${shown}${more}`;
  return `${path} is altered, ${what}`;
}

function filesLine({ checked, withoutChecksum, wrong }: VerifiedFiles): string {
  const without = withoutChecksum === 0 ? '' : ` ${amount(withoutChecksum, 'file has', 'files have')} no checksum yet.`;
  const found = wrong.length === 0 ? 'all as written' : `${wrong.length.toLocaleString('en-US')} not`;
  return `${amount(checked, 'file', 'files')} compared, ${found}.${without}`;
}
