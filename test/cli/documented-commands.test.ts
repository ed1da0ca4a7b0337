import { readdir, readFile } from 'node:fs/promises';
import { Flags, Parser, type Command } from '@oclif/core';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.ts';
import { arrangeArguments } from '../../src/cli/flags/arguments.ts';

const ROOT = new URL('../../', import.meta.url);
const BLOCK = /^```(?:sh|console)\n([^]*?)^```/gm;
/** The program at the start of a command, after variables: `lore`, or its file in a clone. */
const PROGRAM = /^(?:\$ )?(?:[A-Z_]+=\S+ )*(?:lore|node bin\/run\.js) /;
/** A word of the shell: quoted parts, escaped characters and others. */
const WORD = /(?:"(?:\\.|[^"\\])*"|'[^']*'|\\.|[^\s"'\\])+/g;
/** Ends a command, apart from quotes. */
const END = /^(?:\||&&|;|>|>>|<|2>|#.*)$/;

describe('the commands in the documentation', async () => {
  const pages = [
    'README.md',
    'CONTRIBUTING.md',
    ...(await readdir(new URL('docs', ROOT))).filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`),
  ];
  const texts = await Promise.all(pages.map(async (page) => [page, await readFile(new URL(page, ROOT), 'utf8')] as const));
  const lines = texts.flatMap(([page, text]) => commandsIn(text).map((line) => [page, line] as const));

  it('are found', () => {
    expect(lines.length).toBeGreaterThan(100);
  });

  it('would fail with an unknown flag or name', async () => {
    await expect(parsed(['recall', 'x', '--bogus'])).rejects.toThrow('--bogus');
    await expect(parsed(['recal', 'x'])).rejects.toThrow('recal');
  });

  it.each(lines)('%s: %s', async (_page, line) => {
    await expect(parsed(wordsOf(line))).resolves.toBeDefined();
  });
});

/** The lines of all shell blocks that start with the program; a backslash at the end continues a line. */
function commandsIn(text: string): string[] {
  return [...text.matchAll(BLOCK)]
    .flatMap(([, block = '']) => block.replaceAll(/\\\n\s*/g, '').split('\n'))
    .flatMap((line) => line.split(/\s(?:&&|\|)\s(?=lore )/))
    .filter((line) => PROGRAM.test(line) && !line.includes(' … '));
}

function wordsOf(line: string): string[] {
  const words = line.replace(PROGRAM, '').match(WORD) ?? [];
  const end = words.findIndex((word) => END.test(word) || word.startsWith('#'));
  return words.slice(0, end === -1 ? words.length : end).map((word) => word.replaceAll(/^["']|["']$/g, ''));
}

/** Parses the words as the command line does, without running the command. */
async function parsed(words: readonly string[]): Promise<unknown> {
  const { argv } = arrangeArguments(words);
  if (argv[0]?.startsWith('-') === true) return argv;
  const topics = [argv.slice(0, 2).join(':'), argv[0] ?? ''];
  const id = topics.find((name) => COMMANDS[name] !== undefined);
  if (id === undefined) throw new Error(`There is no command ${argv.join(' ')}.`);
  const command: Command.Class = COMMANDS[id]!;
  const rest = argv.slice(id.split(':').length);
  if (rest.includes('--help')) return rest;
  const { args, baseFlags, enableJsonFlag, flags, strict } = command;
  const json = enableJsonFlag && { json: Flags.boolean() };
  return await Parser.parse(rest, { args, flags: { ...baseFlags, ...flags, ...json }, strict });
}
