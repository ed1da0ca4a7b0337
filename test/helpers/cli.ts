import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { environmentDaysAgo } from './past.ts';

/** The command line of this build. */
export const BIN = fileURLToPath(new URL('../../bin/run.js', import.meta.url));

export interface Ran {
  /** Exit code; undefined if a signal ended the process. */
  readonly code: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
  /** Standard output as JSON. */
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- each test says what it expects
  json<T = Record<string, unknown>>(): T;
}

export interface RunOptions {
  readonly input?: string | Uint8Array;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  /** Command with arguments that runs Node, such as `prlimit --nofile=64`. */
  readonly under?: readonly [string, ...string[]];
  /** Runs the command as if it were so many days ago. */
  readonly daysAgo?: number;
}

/** Output that no process of ours may print. */
const FAULT = /^.*(?:unexpected error|UnhandledPromiseRejection|MaxListenersExceededWarning).*$/m;
/** Shown only with --verbose. */
const STACK = /^ +at \S.+:\d+:\d+\)?$/m;

export type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/** A server that has the store of a command line open. */
export interface Running {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<unknown>;
}

export interface Served extends Running {
  readonly child: Child;
  /** The output of `serve --json`. */
  readonly announced: Readonly<Record<string, unknown>>;
  /** Sends the signal and waits for the exit; `signal` is set if it ended the process. */
  stop(signal?: NodeJS.Signals): Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

export interface Cli extends AsyncDisposable {
  /** Working directory of every command; a plain folder without git. */
  readonly cwd: string;
  readonly home: string;
  run(args: readonly string[], options?: RunOptions): Promise<Ran>;
  spawn(args: readonly string[], options?: RunOptions): Child;
  serve(args?: readonly string[], options?: RunOptions): Promise<Served>;
  /** The last started server, while it runs. */
  readonly server: Running | undefined;
}

/**
 * The real command line in child processes, with its own home and working directory. Needs dist/. Disposing removes everything and throws if a
 * process had an uncaught error.
 */
export async function openCli({
  bin = BIN,
  node = process.execPath,
}: { readonly bin?: string; readonly node?: string } = {}): Promise<Cli> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'lore-cli-')));
  const [cwd, home] = [join(folder, 'project'), join(folder, 'home')];
  await Promise.all([mkdir(cwd), mkdir(home)]);
  const running = new Set<Child>();
  const faults: string[] = [];
  let server: Served | undefined;
  const start = (args: readonly string[], options: RunOptions = {}): Child => {
    const past = options.daysAgo === undefined ? {} : environmentDaysAgo(options.daysAgo);
    const env = { ...environment(home), ...past, ...options.env };
    const [command, ...before]: readonly [string, ...string[]] = options.under === undefined ? [node] : [...options.under, node];
    const child = spawn(command, [...before, bin, ...args], { cwd: options.cwd ?? cwd, env, stdio: ['pipe', 'pipe', 'pipe'] });
    running.add(child);
    child.once('close', () => running.delete(child));
    let said = '';
    child.stderr.on('data', (chunk) => {
      said += String(chunk);
    });
    child.once('close', () => {
      const fault = faultIn(said, args);
      if (fault !== undefined) faults.push(fault);
    });
    // A command may exit without reading its input.
    child.stdin.on('error', () => {});
    return child;
  };
  return {
    cwd,
    home,
    spawn: start,
    run: async (args, options = {}) => {
      const child = start(args, options);
      child.stdin.end(options.input ?? '');
      return outcome(child);
    },
    serve: async (args = [], options = {}) => {
      const port = args.includes('--port') ? [] : ['--port', '0'];
      server = await served(start(['serve', ...port, '--json', ...args], options));
      return server;
    },
    get server() {
      return server !== undefined && running.has(server.child) && !server.child.killed ? server : undefined;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...running].map((child) => ended(child, 'SIGKILL')));
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
      if (faults.length > 0) throw new Error(`A process said what none may say:\n${faults.join('\n')}`);
    },
  };
}

/** The error line of standard error, with the command that printed it. */
export function faultIn(stderr: string, args: readonly string[]): string | undefined {
  const fault = FAULT.exec(stderr) ?? (args.includes('--verbose') ? undefined : STACK.exec(stderr));
  return fault ? `lore ${args.join(' ')}: ${fault[0].trim()}` : undefined;
}

/** An environment without settings of the test machine: no settings, no keys, no colours, no test mode. */
export function environment(home: string): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    USERPROFILE: home,
    LOCALAPPDATA: join(home, 'local'),
    APPDATA: join(home, 'roaming'),
    TZ: 'UTC',
    SERVICE_EMBEDDINGS_PROVIDER: 'builtin',
  };
}

async function outcome(child: Child): Promise<Ran> {
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>,
  ]);
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- see `Ran`
  return { code: code ?? undefined, stdout, stderr, json: <T>() => JSON.parse(stdout) as T };
}

async function served(child: Child): Promise<Served> {
  const log = text(child.stderr);
  let line = '';
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    line += String(chunk);
    if (line.includes('\n')) break;
  }
  if (!line.includes('\n')) throw new Error(`The server did not start: ${line}${await log}`);
  child.stdout.resume();
  const announced = JSON.parse(line) as Record<string, unknown>;
  return {
    url: String(announced['url']),
    pid: Number(announced['pid']),
    child,
    announced,
    stop: (signal = 'SIGTERM') => ended(child, signal),
  };
}

async function ended(child: Child, signal: NodeJS.Signals): Promise<{ code: number | null; signal: NodeJS.Signals | null }> {
  if (child.exitCode === null && child.signalCode === null) {
    const exit = once(child, 'exit');
    child.kill(signal);
    await exit;
  }
  return { code: child.exitCode, signal: child.signalCode };
}
