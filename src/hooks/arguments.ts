/** The arguments of `lore hook`. */
export interface HookArguments {
  /** Event name of the client; empty if only the payload has it. */
  readonly event: string;
  readonly client: string;
  readonly configFile?: string | undefined;
}

/** The client if none is given. */
export const DEFAULT_CLIENT = 'claude';
const HELP = new Set(['--help', '-h']);

/**
 * Runs `lore hook` and exits the process. Returns only for `--help`, so that the command framework prints it. A hook must not fail: unknown
 * arguments are ignored.
 */
export async function runHookCommand(argv: readonly string[]): Promise<void> {
  const given = hookArguments(argv);
  if (given === undefined) return;
  const { runHook } = await import('./run-hook.ts');
  await runHook(given);
}

/** Runs a hook without exiting the process and returns its output; undefined for `--help`. Never rejects. */
export async function hookCommandOutput(argv: readonly string[]): Promise<string | undefined> {
  const given = hookArguments(argv);
  if (given === undefined) return undefined;
  const { hookOutput } = await import('./run-hook.ts');
  return await hookOutput(given);
}

/** Parses the arguments; undefined for `--help`. */
export function hookArguments(argv: readonly string[]): HookArguments | undefined {
  if (argv.some((word) => HELP.has(word))) return undefined;
  let [event, client, configFile] = ['', DEFAULT_CLIENT, undefined as string | undefined];
  for (let at = 0; at < argv.length; at++) {
    const [name, attached] = split(argv[at] ?? '');
    if (name === '--client' || name === '--config') {
      const value = attached ?? argv[(at += 1)] ?? '';
      if (name === '--client') client = value.toLowerCase() || client;
      else configFile = value || undefined;
    } else if (!name.startsWith('-') && event === '') event = name;
  }
  return { event, client, configFile };
}

/** Splits `--name=value`. */
function split(word: string): [string, string?] {
  const at = word.startsWith('--') ? word.indexOf('=') : -1;
  return at === -1 ? [word] : [word.slice(0, at), word.slice(at + 1)];
}
