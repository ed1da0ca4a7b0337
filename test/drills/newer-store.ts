import * as lancedb from '@lancedb/lancedb';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Makes a closed store say that it is of another format, as a later version of Lore would leave it. */
export async function setFormat(store: string, format: number): Promise<void> {
  const connection = await lancedb.connect(store);
  const table = await connection.openTable('meta');
  await table.update({ where: "key = 'format'", values: { value: String(format) } });
  table.close();
  connection.close();
  const head = join(store, 'head.json');
  await writeFile(head, JSON.stringify({ ...(JSON.parse(await readFile(head, 'utf8')) as object), format }));
}
