import { Flags } from '@oclif/core';
import type { KeyRecord } from '../../../config/api-keys.ts';
import { BaseCommand } from '../../base-command.ts';
import { changingKeys } from '../../settings/key-change.ts';
import { keysFile } from '../../settings/keys-file.ts';

type NewKey = { readonly key: string } & Omit<KeyRecord, 'sha256'>;

export default class GenerateKey extends BaseCommand {
  static override summary = 'Create an API key and print it once.';
  static override description =
    'Stores only its SHA-256. Once a key exists, every request needs one (unless server.auth.enabled is false). A running server accepts the key within a second.';
  static override examples = [
    '<%= config.bin %> auth generate-key --name laptop',
    '<%= config.bin %> auth generate-key --name dashboard --read-only --namespace owner/repo',
  ];
  static override flags = {
    name: Flags.string({ description: 'Name of the key, for `auth list` and `auth revoke`.' }),
    'read-only': Flags.boolean({ description: 'The key may only read.' }),
    namespace: Flags.string({ char: 'n', description: 'The key has access only to this namespace.' }),
  };

  async run(): Promise<NewKey> {
    const { flags } = await this.parse(GenerateKey);
    const { generateKey } = await import('../../../config/api-keys.ts');
    const access = flags['read-only'] ? 'read' : 'full';
    const wanted = { file: await keysFile(), name: flags.name, access, namespace: flags.namespace } as const;
    const { key, record } = await changingKeys('keys.generate', {
      work: () => generateKey(wanted),
      recordOf: (made) => made.record,
      configFile: flags.config,
      warn: (problem) => this.warning(problem),
    });
    this.log(key);
    this.note(
      `Keep it now: it is not shown again. Send it as x-api-key or Authorization: Bearer; revoke it with \`lore auth revoke "${record.name}"\`.`,
    );
    const { sha256: _hidden, ...shown } = record;
    return { key, ...shown };
  }
}
