import type { Config } from '@oclif/core';
import { withoutUndefined } from '../../memory/without-undefined.ts';

/** The grammar of the command line, for shell completion. */
export interface Grammar {
  readonly bin: string;
  /** Every command and topic, by its words; `''` is the position after the program name. */
  readonly places: readonly Position[];
}

export interface Position {
  /** Words joined by blanks. */
  readonly path: string;
  /** Words that may come next. */
  readonly next: readonly Word[];
  readonly flags: readonly CompletedFlag[];
  /** Possible arguments: words of a fixed set, or a file. */
  readonly argument: Value;
}

interface Word {
  readonly word: string;
  readonly summary: string;
}

/** `none`: takes no value; `text`: takes free text. */
export type Value = { readonly kind: 'none' | 'text' | 'file' } | { readonly kind: 'words'; readonly words: readonly string[] };

export interface CompletedFlag {
  /** Without dashes. */
  readonly name: string;
  /** One letter, without a dash. */
  readonly char?: string;
  readonly summary: string;
  readonly value: Value;
}

/** Flags with a value that may precede the command. */
export const GLOBAL_VALUE_FLAGS = ['--config', '--url'] as const;

const FILE_WORDS = /^(?:file|files|folder|path|dir)$/i;
const HELP: CompletedFlag = { name: 'help', char: 'h', summary: 'Show how to use it', value: { kind: 'none' } };
const VERSION: CompletedFlag = { name: 'version', summary: 'Show the version', value: { kind: 'none' } };

type Loadable = Config['commands'][number];

/** Reads the grammar from the manifest of the commands; loads none of them. */
export function grammarOf(config: Pick<Config, 'bin' | 'commands' | 'topics'>): Grammar {
  const commands = config.commands.filter(({ hidden }) => !hidden);
  const byPath = new Map(commands.map((command) => [command.id.replaceAll(':', ' '), command]));
  const topics = new Map(config.topics.map(({ name, description }) => [name.replaceAll(':', ' '), firstSentence(description)]));
  const paths = new Set([...byPath.keys()].flatMap((path) => path.split(' ').map((_, at, words) => words.slice(0, at + 1).join(' '))));
  const nextOf = (path: string): Word[] =>
    [...paths]
      .filter((candidate) => parentOf(candidate) === path)
      .toSorted()
      .map((candidate) => ({ word: lastOf(candidate), summary: summaryOf(byPath.get(candidate)) ?? topics.get(candidate) ?? '' }));
  const places = [...paths].toSorted().map((path): Position => {
    const command = byPath.get(path);
    return { path, next: nextOf(path), flags: command ? flagsOf(command) : [HELP], argument: argumentOf(command) };
  });
  return { bin: config.bin, places: [{ path: '', next: nextOf(''), flags: [HELP, VERSION], argument: { kind: 'none' } }, ...places] };
}

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf(' ')));
const lastOf = (path: string): string => path.slice(path.lastIndexOf(' ') + 1);

function flagsOf({ flags }: Loadable): CompletedFlag[] {
  const found = Object.values(flags).flatMap((flag): CompletedFlag[] => {
    if (flag.hidden === true) return [];
    const { name, char, summary, description, helpValue } = flag as typeof flag & { helpValue?: string | string[] };
    const options = 'options' in flag ? flag.options : undefined;
    const value: Value =
      flag.type === 'boolean'
        ? { kind: 'none' }
        : options
          ? { kind: 'words', words: options }
          : { kind: isFile(helpValue) ? 'file' : 'text' };
    return [{ name, ...withoutUndefined({ char }), summary: firstSentence(summary ?? description), value }];
  });
  return [...found, HELP].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

const isFile = (helpValue: string | readonly string[] | undefined): boolean =>
  [helpValue ?? []].flat().some((word) => FILE_WORDS.test(word));

function argumentOf(command: Loadable | undefined): Value {
  const args = Object.values(command?.args ?? {});
  const [first] = args;
  if (first === undefined) return { kind: 'none' };
  if (first.options !== undefined) return { kind: 'words', words: first.options };
  return { kind: args.some(({ name }) => FILE_WORDS.test(name)) ? 'file' : 'text' };
}

function summaryOf(command: Loadable | undefined): string | undefined {
  return command === undefined ? undefined : firstSentence(command.summary ?? command.description);
}

/** A menu shows only one line. */
function firstSentence(text = ''): string {
  return (text.split('\n')[0] ?? '').replace(/[.:;] .*$/, '').replace(/\.$/, '');
}

/** Quotes a text as one shell word. */
export const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
