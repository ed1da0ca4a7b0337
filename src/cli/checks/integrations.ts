import type { TargetStatus } from '../../integrations/target-states.ts';
import type { Finding } from './checkup.ts';

/** The state of each client of `lore setup`. Rejects if the record of edits cannot be read. */
export async function clientStates(): Promise<TargetStatus[]> {
  const [{ targetStates }, { userFolders }, { thisLauncher }] = await Promise.all([
    import('../../integrations/target-states.ts'),
    import('../../integrations/user-folders.ts'),
    import('../../integrations/launcher.ts'),
  ]);
  return await targetStates({ places: userFolders(), launcher: thisLauncher() });
}

/** Findings for clients that do not reach this installation. Manual changes are not a finding. */
export function integrationFindings(states: readonly TargetStatus[]): Finding[] {
  return states
    .filter(({ state }) => state === 'outdated' || state === 'unreadable')
    .map(({ target, title, scope, state, findings }) => {
      const command = `\`lore setup --target ${target}${scope === 'project' ? ' --scope project' : ''}\``;
      return {
        about: 'integrations',
        problem: `${title} is ${state}: ${findings.join(' ')}`,
        fix: state === 'outdated' ? `${command} writes it again.` : `Repair that file, or make it readable; then run ${command}.`,
      };
    });
}

/** The clients that are set up, on one line. */
export function integrationSummary(states: readonly TargetStatus[]): string {
  const there = states.filter(({ state }) => state !== 'absent');
  return there.length === 0 ? 'none' : there.map(({ title, state, scope }) => `${title} ${state} (${scope})`).join(', ');
}
