import { readFile } from 'node:fs/promises';
import type { Command } from '@oclif/core';
import { expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.ts';
import { COMMAND_GROUPS, COMMAND_PAGES } from '../../src/cli/groups.ts';
import { BaseCommand } from '../../src/cli/base-command.ts';
import { MemoryCommand } from '../../src/cli/memory-command.ts';

const SECTION = /(?<=<!-- commands -->\n)[^]*(?=<!-- \/commands -->)/;
/** Stand in a table of their own. */
const EVERYWHERE = new Set([...Object.keys(BaseCommand.baseFlags), ...Object.keys(MemoryCommand.baseFlags), 'json']);

const commandsOf = (name: string): [string, Command.Class][] =>
  Object.entries(COMMANDS).filter(([id, { hidden }]) => !hidden && id.split(':')[0] === name);

it('every visible command is in one help group', () => {
  const shown = Object.entries(COMMANDS).filter(([, { hidden }]) => !hidden);
  const names = COMMAND_GROUPS.flatMap(([, group]) => group);
  expect(names.toSorted()).toEqual([...new Set(shown.map(([id]) => id.split(':')[0]!))].toSorted());
});

it('the help of every command links an existing page and section of the documentation', async () => {
  expect(Object.keys(COMMAND_PAGES).toSorted()).toEqual([...COMMAND_GROUPS.flatMap(([, group]) => group), 'hook'].toSorted());
  for (const [name, page] of Object.entries(COMMAND_PAGES)) {
    const [file, section] = page.split('#');
    const text = await readFile(new URL(`../../docs/${file}`, import.meta.url), 'utf8');
    const sections = [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) => title.toLowerCase().replaceAll(' ', '-'));
    expect([undefined, ...sections], name).toContain(section);
  }
});

it('docs/cli.md has a table of the commands for each group (npm run generate writes them)', async () => {
  const page = await readFile(new URL('../../docs/cli.md', import.meta.url), 'utf8');
  const tables = COMMAND_GROUPS.map(([title, names]) => `### ${title}\n\n${tableOf(names.flatMap(commandsOf).map(rowOf))}`);
  await expect(page.replace(SECTION, () => `\n${tables.join('\n')}\n`)).toMatchFileSnapshot('../../docs/cli.md');
});

function rowOf([id, command]: [string, Command.Class]): [string, string, string] {
  const args = Object.entries(command.args).map(([name, { required, multiple }]) => {
    const word = `${name.toUpperCase()}${multiple === true ? '...' : ''}`;
    return required === true ? ` ${word}` : ` [${word}]`;
  });
  const flags = Object.entries({ ...command.flags })
    .filter(([name, { hidden }]) => hidden !== true && !EVERYWHERE.has(name))
    .map(([name]) => `\`--${name}\``);
  return [`\`${id.replaceAll(':', ' ')}${args.join('')}\``, command.summary ?? '', flags.join(', ')];
}

/** As the formatter writes it. */
function tableOf(rows: readonly [string, string, string][]): string {
  const cells = [['Command', 'Does', 'Flags'], ...rows];
  const widths = [0, 1, 2].map((column) => Math.max(...cells.map((row) => row[column]!.length)));
  const lines = [cells[0]!, widths.map((width) => '-'.repeat(width)), ...rows];
  return lines.map((row) => `| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |\n`).join('');
}
