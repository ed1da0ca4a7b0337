import type { Hook, Interfaces } from '@oclif/core';
import { suggestion } from '../config/faults.ts';
import { UsageError } from './failure.ts';

/** oclif's hook for words that name no command. */
const unknownCommand: Hook.CommandNotFound = async ({ id, argv = [], config }) => {
  refuseCommand([...id.split(':'), ...argv], config);
};

/** Throws a usage error for words that name no command, with the nearest command or topic. */
export function refuseCommand(given: readonly string[], config: Pick<Interfaces.Config, 'bin' | 'commandIDs' | 'topics'>): never {
  const words = given.filter((word) => !word.startsWith('-'));
  const known = config.commandIDs.map((command) => command.replaceAll(':', ' '));
  // oclif joins every leading word into one id, so `stats extra` arrives as the unknown command `stats:extra`.
  const command = known.find((name) => name === words.slice(0, name.split(' ').length).join(' '));
  if (command !== undefined) {
    const extra = words.slice(command.split(' ').length).join(' ');
    throw new UsageError(`Unexpected argument for \`${config.bin} ${command}\`: ${extra}`, `See \`${config.bin} ${command} --help\`.`);
  }
  const inTopic = known.some((name) => name.startsWith(`${words[0] ?? ''} `));
  const tried = words.slice(0, inTopic ? 2 : 1).join(' ');
  const names = inTopic ? known : [...known, ...config.topics.map(({ name }) => name)];
  throw new UsageError(`There is no command \`${tried}\`.${suggestion(tried, names)}`, `\`${config.bin} --help\` lists all commands.`);
}

export default unknownCommand;
