import { thisLauncher } from '../../integrations/launcher.ts';
import { terminalCommand } from '../../integrations/terminal-command.ts';
import type { TargetStatus } from '../../integrations/target-states.ts';
import type { Administration, Integration } from '../../memory/operations/administration.ts';
import { clientStates } from '../checks/integrations.ts';
import { withoutUndefined } from '../../memory/without-undefined.ts';

/** Clients for administrators of `lore serve`. Reads their files on each request. */
export function administrationHere(): Administration {
  const program = thisProgram();
  return {
    integrations: async () => {
      const [{ clientsHere }, { userFolders }] = await Promise.all([
        import('../../integrations/setup.ts'),
        import('../../integrations/user-folders.ts'),
      ]);
      const [states, here] = await Promise.all([clientStates(), clientsHere(userFolders())]);
      return { program, integrations: states.map((status) => integrationOf(status, { found: here.includes(status.target), program })) };
    },
  };
}

/** The command that starts this installation in a terminal. */
export const thisProgram = (): string => terminalCommand(thisLauncher(), { path: process.env['PATH'] ?? '', platform: process.platform });

function integrationOf(status: TargetStatus, { found, program }: { readonly found: boolean; readonly program: string }): Integration {
  const command = commandFor(status, program);
  return { ...status, found, ...withoutUndefined({ command }) };
}

function commandFor({ target, scope, state }: TargetStatus, program: string): string | undefined {
  if (state === 'installed' || state === 'unreadable') return undefined;
  const command = `${program} setup --target ${target}${scope === 'project' ? ' --scope project' : ''}`;
  return state === 'changed by hand' ? `${command} --force` : command;
}
