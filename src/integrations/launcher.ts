import { fileURLToPath } from 'node:url';

/** How a client starts Lore: absolute paths, because a client that was not started from a shell has no PATH to speak of. */
export interface Launcher {
  readonly node: string;
  /** The `bin/run.js` of this installation. Missing where `node` is the command itself: of a plugin for any machine, `lore` on the PATH. */
  readonly bin?: string;
}

/** The words that start Lore. */
export const programOf = ({ node, bin }: Launcher): string[] => (bin === undefined ? [node] : [node, bin]);

/** The Node and the installation that run now. */
export function thisLauncher(): Launcher & { readonly bin: string } {
  return { node: process.execPath, bin: fileURLToPath(new URL('../../bin/run.js', import.meta.url)) };
}

/** The MCP server over standard input and output, in the shape that most clients read. */
export function serverEntry(launcher: Launcher): { command: string; args: string[] } {
  const [command = '', ...args] = programOf(launcher);
  return { command, args: [...args, 'mcp'] };
}

interface Hook {
  /** As the client names it. */
  readonly event: string;
  readonly client: string;
}

/** The command line of one hook, quoted for the shell that the client hands it to. */
export function hookCommand(launcher: Launcher, { event, client }: Hook, platform: NodeJS.Platform): string {
  return [...programOf(launcher), 'hook', event, '--client', client].map((word) => quoted(word, platform)).join(' ');
}

/** The same for PowerShell, which runs a quoted path only behind an `&`. */
export function powershellCommand(launcher: Launcher, { event, client }: Hook): string {
  const word = (text: string): string => `'${text.replaceAll("'", "''")}'`;
  return `& ${programOf(launcher).map(word).join(' ')} hook ${event} --client ${client}`;
}

/** The event and the client in a command line that `hookCommand` made, with whatever paths; undefined for any other command. */
export function hookIn(command: string): Hook | undefined {
  const match = /(?:run\.js|\blore(?:\.cmd|\.exe)?)["']? hook (\S+) --client (\w+)\s*$/.exec(command);
  return match?.[1] === undefined || match[2] === undefined ? undefined : { event: match[1], client: match[2] };
}

/** Double quotes, which sh and cmd both read; only where they are needed. On Windows with `/`, which no shell there takes for an escape. */
export function quoted(word: string, platform: NodeJS.Platform): string {
  const text = platform === 'win32' ? word.replaceAll('\\', '/') : word;
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  return platform === 'win32' ? `"${text}"` : `"${text.replaceAll(/["$`\\]/g, String.raw`\$&`)}"`;
}
