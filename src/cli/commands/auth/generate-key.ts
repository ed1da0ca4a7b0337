import { Flags } from '@oclif/core';
import { GenerateKeyRequest } from '../../../memory/operations/key-operations.ts';
import { BaseCommand } from '../../base-command.ts';
import { fieldFlags } from '../../flags/field-flags.ts';
import { changingKeys } from '../../settings/key-change.ts';
import { openKeys, printedKey, type PrintedKey } from '../../settings/keys-file.ts';

export default class GenerateKey extends BaseCommand {
  static override summary = 'Create an API key and print it once.';
  static override description =
    'Stores only its SHA-256. Once a key exists, every request needs one (unless server.auth.enabled is false). A running server accepts the key within a second.';
  static override examples = [
    '<%= config.bin %> auth generate-key --name laptop',
    '<%= config.bin %> auth generate-key --name dashboard --read-only --namespace owner/repo',
  ];
  static override flags = {
    ...fieldFlags(GenerateKeyRequest, {
      name: 'Name of the key, for `auth list` and `auth revoke`.',
      namespace: { char: 'n', description: 'The key has access only to this namespace.' },
    }),
    'read-only': Flags.boolean({ description: 'The key may only read.' }),
  };

  async run(): Promise<PrintedKey & { readonly key: string }> {
    const { flags } = await this.parse(GenerateKey);
    const keys = await openKeys();
    const access = flags['read-only'] ? 'read' : 'full';
    const made = await changingKeys('keys.generate', {
      work: () => keys.generate({ name: flags.name, access, namespace: flags.namespace }),
      recordOf: (key) => key,
      configFile: flags.config,
      warn: (problem) => this.warning(problem),
    });
    this.log(made.key);
    this.note(
      `Keep it now: it is not shown again. Send it as x-api-key or Authorization: Bearer; revoke it with \`lore auth revoke "${made.name}"\`.`,
    );
    return printedKey(made);
  }
}
