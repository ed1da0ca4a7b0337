import { fileURLToPath } from 'node:url';

/** How a client starts Lore: with absolute paths, because a client that was not started from a shell may have no useful PATH. */
export interface Launcher {
  readonly node: string;
  /** `bin/run.js` of this installation. Absent if `node` is the command itself, such as `lore` on the PATH in a plugin for any machine. */
  readonly bin?: string;
}

/** The command and arguments that start Lore. */
export const programOf = ({ node, bin }: Launcher): string[] => (bin === undefined ? [node] : [node, bin]);

/** The Node executable and the installation of this process. */
export function thisLauncher(): Launcher & { readonly bin: string } {
  return { node: process.execPath, bin: fileURLToPath(new URL('../../bin/run.js', import.meta.url)) };
}

/** The entry for the MCP server over standard input and output, in the format of most clients. */
export function serverEntry(launcher: Launcher): { command: string; args: string[] } {
  const [command = '', ...args] = programOf(launcher);
  return { command, args: [...args, 'mcp'] };
}

interface Hook {
  /** Event name of the client. */
  readonly event: string;
  readonly client: string;
}

/** The command line of one hook, quoted for the client's shell. */
export function hookCommand(launcher: Launcher, { event, client }: Hook, platform: NodeJS.Platform): string {
  return [...programOf(launcher), 'hook', event, '--client', client].map((word) => quoted(word, platform)).join(' ');
}

/** The command line for PowerShell, which runs a quoted path only after an `&`. */
export function powershellCommand(launcher: Launcher, { event, client }: Hook): string {
  const word = (text: string): string => `'${text.replaceAll("'", "''")}'`;
  return `& ${programOf(launcher).map(word).join(' ')} hook ${event} --client ${client}`;
}

/** The event and client of a command line that `hookCommand` wrote, with any paths; undefined for other commands. */
export function hookIn(command: string): Hook | undefined {
  const match = /(?:run\.js|\blore(?:\.cmd|\.exe)?)["']? hook (\S+) --client (\w+)\s*$/.exec(command);
  return match?.[1] === undefined || match[2] === undefined ? undefined : { event: match[1], client: match[2] };
}

/** Quotes a word if needed, with double quotes, which both sh and cmd read. On Windows paths use `/`, which no shell treats as an escape. */
export function quoted(word: string, platform: NodeJS.Platform): string {
  const text = platform === 'win32' ? word.replaceAll('\\', '/') : word;
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  return platform === 'win32' ? `"${text}"` : `"${text.replaceAll(/["$`\\]/g, String.raw`\$&`)}"`;
}
