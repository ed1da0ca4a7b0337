import { join } from 'node:path';
import { filesIn, marketplaceFile, pluginFiles } from './plugin.ts';
import type { Setting, TargetPlugin } from './target.ts';

/** Commands of the clients that install and remove a plugin. */
const COMMANDS = {
  claude: {
    add: ['claude plugin marketplace add', 'claude plugin install lore@lore'],
    again: 'claude plugin update lore@lore',
    remove: ['claude plugin uninstall lore@lore', 'claude plugin marketplace remove lore'],
  },
  codex: {
    add: ['codex plugin marketplace add', 'codex plugin add lore@lore'],
    again: 'codex plugin remove lore@lore ; codex plugin add lore@lore',
    remove: ['codex plugin remove lore@lore', 'codex plugin marketplace remove lore'],
  },
} as const;

/** A plugin in a local marketplace in Lore's data folder, from which the client copies it. */
export function marketplacePlugin(client: keyof typeof COMMANDS, { places, launcher }: Setting): TargetPlugin {
  const folder = join(places.data, 'plugins', client);
  const {
    add: [add, install],
    again,
    remove,
  } = COMMANDS[client];
  const making = { launcher, platform: places.platform };
  return {
    files: [...filesIn(folder, [marketplaceFile(client, 'lore')]), ...filesIn(join(folder, 'lore'), pluginFiles(client, making))],
    add: [`Then run: ${add} ${JSON.stringify(folder)}`, `and: ${install}`, `If it is already installed: ${again}`],
    remove: [`If the plugin was installed, run: ${remove.join(' ; ')}`],
  };
}
