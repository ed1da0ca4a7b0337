import { MAX_VERIFIED_IDS, type VerifyReport } from '../../memory/operations/operations.ts';
import { amount } from './output.ts';

/** Whether something is not as it was saved, or cannot be read. */
export const hasFindings = ({ altered, unreadable, archiveUnreadable }: VerifyReport): boolean =>
  altered.length + unreadable.length > 0 || archiveUnreadable === true;

/** What was found, a line each; last how much was read. */
export function formatVerification(report: VerifyReport): string[] {
  const { checked, altered, unreadable, archiveUnreadable } = report;
  const bad = altered.length + unreadable.length;
  const isCut = Math.max(altered.length, unreadable.length) >= MAX_VERIFIED_IDS;
  const not = `${bad.toLocaleString('en-US')}${isCut ? ' or more' : ''} not`;
  return [
    ...altered.map((id) => `${id} is not what was saved`),
    ...unreadable.map((id) => `${id} cannot be read`),
    ...(archiveUnreadable === true ? ['The archive cannot be read.'] : []),
    `${amount(checked, 'entry', 'entries')} read, ${bad === 0 ? 'all of them as they were saved' : not}.`,
  ];
}
