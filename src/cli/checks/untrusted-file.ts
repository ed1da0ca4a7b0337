import type { LoadedConfig, UntrustedFile } from '../../config/load.ts';
import type { Finding } from './checkup.ts';
import { amount } from '../print/output.ts';

/** One line with the keys of a project file that are not applied: `storage.path of /p/lore.config.json (lore trust)`. */
export function notAppliedText({ path, keys, faults }: UntrustedFile): string {
  const invalid = faults.length === 0 ? [] : [`${faults.length} invalid`];
  return `${[...keys, ...invalid].join(', ')} of ${path}${keys.length === 0 ? '' : ' (`lore trust`)'}`;
}

/** The same as findings for `doctor`. */
export async function untrustedFindings({ untrusted, userFile }: LoadedConfig): Promise<Finding[]> {
  if (untrusted === undefined) return [];
  const { path, keys, faults } = untrusted;
  const { trustHint, unappliedText } = await import('../../config/untrusted.ts');
  const findings: Finding[] = [];
  if (keys.length > 0) findings.push({ about: 'configuration', problem: unappliedText(untrusted), fix: trustHint(untrusted, userFile) });
  if (faults.length > 0) {
    const problem = `${path} has ${amount(faults.length, 'error', 'errors')}; the invalid keys are not applied.`;
    findings.push({ about: 'configuration', problem, fix: '`lore config --validate` shows each one.' });
  }
  return findings;
}
