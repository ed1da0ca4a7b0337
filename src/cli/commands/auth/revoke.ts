import { Args } from '@oclif/core';
import { BaseCommand } from '../../base-command.ts';
import { changingKeys } from '../../settings/key-change.ts';
import { openKeys } from '../../settings/keys-file.ts';

export default class RevokeKey extends BaseCommand {
  static override summary = 'Revoke an API key.';
  static override description = 'A running server refuses the key within a second.';
  static override examples = ['<%= config.bin %> auth revoke laptop'];
  static override args = {
    key: Args.string({ required: true, ignoreStdin: true, description: 'Name or id of the key, or the first characters of the id.' }),
  };

  async run(): Promise<{ revoked: { name: string; id: string } }> {
    const { args, flags } = await this.parse(RevokeKey);
    const keys = await openKeys();
    const { name, id } = await changingKeys('keys.revoke', {
      work: () => keys.revoke({ id: args.key }),
      recordOf: (revoked) => revoked,
      configFile: flags.config,
      warn: (problem) => this.warning(problem),
    });
    this.log(`Revoked ${name}.`);
    return { revoked: { name, id } };
  }
}
