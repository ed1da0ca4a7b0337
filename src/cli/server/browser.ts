import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { release } from 'node:os';
import { win32 } from 'node:path';
import { LoreError } from '../../memory/errors.ts';

type Call = readonly [program: string, ...args: string[]];
/** The machine to decide for: tests pass another one. */
interface Machine {
  readonly platform: NodeJS.Platform;
  /** Release of the kernel, which shows WSL. */
  readonly release: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Opens an address in the user's browser. Rejects with `filesystem` if none can be started. */
export async function startBrowser(url: string): Promise<void> {
  let cause: unknown;
  for (const call of browserCalls(url, { platform: process.platform, release: release(), env: process.env })) {
    try {
      await start(call);
      return;
    } catch (error) {
      cause = error;
    }
  }
  throw new LoreError('filesystem', `Cannot start a browser for ${url}.`, { cause, hint: 'Open that address yourself.' });
}

/** The programs to try for an address, in order. They run without a shell. */
export function browserCalls(url: string, { platform, release: kernel, env }: Machine): readonly Call[] {
  if (platform === 'darwin') return [['open', url]];
  // With its whole path: Windows looks for programs in the current folder first.
  if (platform === 'win32') return [[win32.join(env['SystemRoot'] ?? String.raw`C:\Windows`, 'System32', 'rundll32.exe'), ...OPENS, url]];
  const windows: readonly Call[] = /microsoft/i.test(kernel)
    ? [
        ['wslview', url],
        ['rundll32.exe', ...OPENS, url],
      ]
    : [];
  return [...chosenBrowsers(url, env['BROWSER']), ...windows, ['xdg-open', url]];
}

/** The argument of rundll32. */
const OPENS = ['url.dll,FileProtocolHandler'] as const;

/** The commands in the variable BROWSER, separated by `:`. `%s` stands for the address; without it, the address is appended. */
function chosenBrowsers(url: string, variable = ''): readonly Call[] {
  return variable.split(':').flatMap((command): Call[] => {
    const [program, ...args] = command.split(' ').filter((word) => word !== '');
    if (program === undefined) return [];
    return [[program, ...(args.includes('%s') ? args.map((word) => (word === '%s' ? url : word)) : [...args, url])]];
  });
}

/** Resolves once the program runs; it continues when this process ends. */
async function start([program, ...args]: Call): Promise<void> {
  const child = spawn(program, args, { detached: true, stdio: 'ignore', windowsHide: true });
  await once(child, 'spawn');
  child.unref();
}
