import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { methodOf, type AnyOperation } from '../../src/operations/operation.ts';
import { operationsOf, OPERATIONS, type OperationGroup } from '../../src/operations/table.ts';
import { routeOf } from '../helpers/client-route.ts';

it('the routes that the client knows are those that are defined', async () => {
  // Streams have methods of their own.
  const named = Object.keys(OPERATIONS).filter((group) => notStreamed(group).length > 0);
  const groups = named.map((group) => {
    const lines = notStreamed(group).map(([name, operation]) => `  ${name}: ${literal(routeOf(operation))},\n`);
    return `export const ${group} = {\n${lines.join('')}} as const;\n`;
  });
  const head = '/** What a client must know of every operation. Made by `npm run generate` from src/operations: do not edit. */\n';
  const text = `${head}${groups.join('')}export const ROUTES = { ${named.join(', ')} } as const;\n`;
  await expect(text).toMatchFileSnapshot('../../src/client/routes.ts');
});

it('the table of routes in docs/api.md has a row for each', async () => {
  const page = await readFile(new URL('../../docs/api.md', import.meta.url), 'utf8');
  const [table = ''] = /(?:^\|.*\n)+/m.exec(page) ?? [];
  const [title, , ...rows] = table.trimEnd().split('\n').map(cellsOf);
  const defined = Object.keys(OPERATIONS).flatMap((group) => notStreamed(group).map(([, operation]) => operation));
  const byHand = rows.filter(([route = '']) => !defined.some((operation) => route.includes(`${operation.route}\``)));
  // What serves no operation of the store stands last.
  const last = byHand.findIndex(([route = '']) => route.includes('/mcp'));
  const text = tableOf([title!, ...byHand.slice(0, last), ...defined.map(rowOf), ...byHand.slice(last)]);
  await expect(page.replace(table, () => text)).toMatchFileSnapshot('../../docs/api.md');
});

const notStreamed = (group: string) => operationsOf(group as OperationGroup).filter(([, { stream }]) => stream === undefined);

const cellsOf = (line: string): string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

function rowOf(operation: AnyOperation): string[] {
  const { route, summary, description, request } = operation;
  const fields = Object.keys(request.shape).map((name) => `\`${name}\``);
  const withFields = fields.length === 0 ? summary : `${summary}: ${fields.join(', ')}`;
  const body = fields.length === 0 && methodOf(operation) === 'POST' ? ['The body is `{}`.'] : [];
  const more = [...(description === undefined ? [] : [description]), ...body].join(' ');
  return [`\`${route}\``, more === '' ? withFields : `${withFields}. ${more.replace(/\.$/, '')}`];
}

/** As the formatter writes it. */
function tableOf([title = [], ...rows]: readonly string[][]): string {
  const widths = title.map((_, column) => Math.max(...[title, ...rows].map((cells) => cells[column]!.length)));
  const lines = [title, widths.map((width) => '-'.repeat(width)), ...rows];
  return lines.map((cells) => `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |\n`).join('');
}

function literal(value: unknown): string {
  if (typeof value === 'string') return `'${value}'`;
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  return `{ ${Object.entries(value)
    .map(([name, member]) => `${name}: ${literal(member)}`)
    .join(', ')} }`;
}
