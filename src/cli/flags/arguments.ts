/** Global flags that may come before the command, with the number of values each takes. */
const GLOBAL_FLAGS: Readonly<Record<string, number>> = { '--verbose': 0, '--no-color': 0, '--json': 0, '--config': 1, '--url': 1 };
const ALONE = new Set(['-h', '--help', '-v', '--version', '--']);

interface ArrangedArguments {
  readonly argv: string[];
  /** Whether `--no-color` occurs before any `--`. */
  readonly noColor: boolean;
  /** Whether `--json` occurs before any `--`. */
  readonly json: boolean;
  /** Whether `--verbose` occurs before any `--`. */
  readonly verbose: boolean;
  /** A flag before the command that is only allowed after it; undefined if none. */
  readonly misplaced: string | undefined;
}

/**
 * The arguments in the order that oclif reads: global flags before the command move after it (before its first flag, so that a
 * `--` keeps its meaning), and `help X` becomes `X --help`. Global flags without any command leave nothing, which prints the help.
 */
export function arrangeArguments(argv: readonly string[]): ArrangedArguments {
  const { leading, rest } = takeLeadingFlags(argv);
  const command = rest[0] === 'help' ? [...rest.slice(1), '--help'] : rest;
  const firstFlag = command.findIndex((word) => word.startsWith('-'));
  const at = firstFlag === -1 ? command.length : firstFlag;
  const versionOrHelpOnly = at === 0;
  const arranged = versionOrHelpOnly ? command : [...command.slice(0, at), ...leading, ...command.slice(at)];
  const flags = new Set(argv.slice(0, argv.includes('--') ? argv.indexOf('--') : argv.length));
  const [first = '', ...others] = rest;
  const misplaced = /^-./.test(first) && !ALONE.has(first) && others.length > 0 ? first : undefined;
  return { argv: arranged, noColor: flags.has('--no-color'), json: flags.has('--json'), verbose: flags.has('--verbose'), misplaced };
}

function takeLeadingFlags(argv: readonly string[]): { leading: string[]; rest: string[] } {
  let at = 0;
  while (at < argv.length) {
    const [name = '', value] = (argv[at] ?? '').split('=', 2);
    const values = Object.hasOwn(GLOBAL_FLAGS, name) ? GLOBAL_FLAGS[name] : undefined;
    if (values === undefined) break;
    at += 1 + (value === undefined ? values : 0);
  }
  return { leading: argv.slice(0, at), rest: argv.slice(at) };
}
