import { BaseCommand } from '../../base-command.ts';
import { openKeys, printedKey, type PrintedKey } from '../../settings/keys-file.ts';
import { moment, table } from '../../print/output.ts';

interface Keys {
  readonly keys: readonly PrintedKey[];
}

export default class ListKeys extends BaseCommand {
  static override summary = 'List API keys.';
  static override examples = ['<%= config.bin %> auth list'];

  async run(): Promise<Keys> {
    await this.parse(ListKeys);
    const keys = (await (await openKeys()).list()).map(printedKey);
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
    { title: 'LAST USED' },
  ];
  const time = (iso: string | undefined): string => (iso === undefined ? 'never' : moment(Date.parse(iso)));
  const rows = keys.map((key) => [key.name, key.id, key.access, key.namespace ?? '(all)', time(key.createdAt), time(key.lastUsedAt)]);
  return table(columns, rows);
}
