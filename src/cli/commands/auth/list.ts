import type { KeyRecord } from '../../../config/api-keys.ts';
import { BaseCommand } from '../../base-command.ts';
import { keysFile } from '../../settings/keys-file.ts';
import { moment, table } from '../../print/output.ts';

interface Keys {
  readonly keys: readonly Omit<KeyRecord, 'sha256'>[];
}

export default class ListKeys extends BaseCommand {
  static override summary = 'List API keys.';
  static override examples = ['<%= config.bin %> auth list'];

  async run(): Promise<Keys> {
    await this.parse(ListKeys);
    const { listKeys } = await import('../../../config/api-keys.ts');
    const keys = (await listKeys(await keysFile())).map(({ sha256: _hidden, ...shown }) => shown);
    this.log(keys.length === 0 ? 'No keys. `lore auth generate-key` makes one.' : formatKeys(keys));
    return { keys };
  }
}

function formatKeys(keys: Keys['keys']): string {
  const columns = [
    { title: 'NAME', shrinkTo: 10 },
    { title: 'ID' },
    { title: 'ACCESS' },
    { title: 'NAMESPACE', shrinkTo: 10 },
    { title: 'CREATED' },
  ];
  const rows = keys.map((key) => [key.name, key.id, key.access, key.namespace ?? '(all)', moment(Date.parse(key.createdAt))]);
  return table(columns, rows);
}
