import { Console } from 'node:console';
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { environment, faultIn, openCli, type Cli, type Ran, type RunOptions, type Running } from './cli.ts';
import { commandEnvironment } from './command-environment.ts';
import { daysAgo } from './past.ts';

/** The command line of this build, run mostly inside the test process. */
export interface CliInProcess extends Cli {
  /** Runs a command in this process, one at a time: same program, same errors, same exit code. No terminal, no colours, no signals. */
  run(args: readonly string[], options?: RunOptions): Promise<Ran>;
  /** Runs a command in its own process, for tests that need one. */
  process(args: readonly string[], options?: RunOptions): Promise<Ran>;
  /** A server in this process, for commands that talk to one. Tests of signals, output or a kill need `serve`. */
  serveHere(env?: Readonly<Record<string, string>>): Promise<Running>;
}

/** Options of `run`. Another launching program, or options for Node, need a process. */
type Given = Omit<RunOptions, 'under'>;

interface Program {
  readonly runCommand: (line: { argv: readonly string[]; root: string }) => Promise<void>;
  readonly hookCommandOutput: (argv: readonly string[]) => Promise<string | undefined>;
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Signals that a running command listens to. */
const LISTENED = ['SIGINT', 'SIGTERM', 'SIGHUP', 'uncaughtException', 'unhandledRejection'];
/** env-paths reads the home folder when it is loaded: a command would write into the developer's folder. */
const KEEPS_HOME = process.platform === 'darwin';

/** Singletons of the process, stored in Node's global object: `vi.resetModules` loads this module a second time. */
interface Shared {
  program: Promise<Program> | undefined;
  /** Resolves when the last requested command has ended. */
  last: Promise<unknown>;
}

const SHARED = Symbol.for('lore.test.cli-in-process');
const everywhere = globalThis as { [SHARED]?: Shared };
const shared = (everywhere[SHARED] ??= { program: undefined, last: Promise.resolve() });
const { variables } = commandEnvironment;

/**
 * A command line like the one of `openCli`, with its own home and working directory, but `run` starts no process. A command is the bundled program of
 * dist/ and restores the state of this process. Servers started by `serve` are processes.
 */
export async function openCliInProcess(): Promise<CliInProcess> {
  const cli = await openCli();
  const faults: string[] = [];
  let here: Running | undefined;
  const run = async (args: readonly string[], options: Given = {}): Promise<Ran> => {
    const ran = await inTurn(() => runHere(args, { cwd: cli.cwd, ...options, env: { ...environmentOf(cli), ...options.env } }));
    const fault = faultIn(ran.stderr, args);
    if (fault !== undefined) faults.push(fault);
    return ran;
  };
  return {
    cwd: cli.cwd,
    home: cli.home,
    run: (args, options) => (KEEPS_HOME ? cli.run(args, options) : run(args, options)),
    process: (args, options) => cli.run(args, options),
    spawn: (args, options) => cli.spawn(args, options),
    serve: (args, options) => cli.serve(args, options),
    serveHere: async (env) => {
      if (KEEPS_HOME) return await cli.serve([], { env: { ...env } });
      // Loaded on demand, because it loads the whole program from its sources.
      const { serveHere } = await import('./cli-server.ts');
      const running = await serveHere(cli, env);
      here = {
        ...running,
        stop: async () => {
          here = undefined;
          await running.stop();
        },
      };
      return here;
    },
    get server() {
      return here ?? cli.server;
    },
    async [Symbol.asyncDispose]() {
      await here?.stop();
      await cli[Symbol.asyncDispose]();
      if (faults.length > 0) throw new Error(`A command said what none may say:\n${faults.join('\n')}`);
    },
  };
}

/** env-paths keeps the home folder it was loaded with; these variables name the folders in it. */
function environmentOf({ home }: Pick<Cli, 'home'>): NodeJS.ProcessEnv {
  return {
    ...environment(home),
    TMPDIR: os.tmpdir(),
    XDG_DATA_HOME: join(home, '.local', 'share'),
    XDG_CONFIG_HOME: join(home, '.config'),
  };
}

/** A command has the working directory and the streams of the process to itself. */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const turn = shared.last.then(work);
  shared.last = turn.catch(() => undefined);
  return turn;
}

async function runHere(args: readonly string[], { input = '', env = {}, cwd = ROOT, daysAgo: days = 0 }: Given): Promise<Ran> {
  const [stdout, stderr] = [new Output(), new Output()];
  const restore = surroundings({ stdin: Readable.from([Buffer.from(input)], { objectMode: false }), stdout, stderr, env, cwd });
  try {
    const parts = await (shared.program ??= loadProgram());
    await daysAgo(days, () => runProgram(parts, args));
    const { exitCode } = process;
    const text = stdout.text();
    // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- see `Ran`
    return { code: Number(exitCode ?? 0), stdout: text, stderr: stderr.text(), json: <T>() => JSON.parse(text) as T };
  } finally {
    restore();
  }
}

/** Like bin/run.js: hooks run without the command framework. */
async function runProgram({ runCommand, hookCommandOutput }: Program, args: readonly string[]): Promise<void> {
  const answer = args[0] === 'hook' ? await hookCommandOutput(args.slice(1)) : undefined;
  if (answer === undefined) await runCommand({ argv: args, root: ROOT });
  else process.stdout.write(answer);
}

interface Surroundings {
  readonly stdin: Readable;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}

/** Sets up the process for a command and returns a function that restores it. */
function surroundings({ stdin, stdout, stderr, env, cwd }: Surroundings): () => void {
  const ours: NodeJS.EventEmitter = process;
  const before = { cwd: process.cwd(), umask: process.umask(0o077), exitCode: process.exitCode, console };
  const streams = (['stdin', 'stdout', 'stderr'] as const).map((name) => [name, Object.getOwnPropertyDescriptor(process, name)!] as const);
  const listeners = new Map(LISTENED.map((event) => [event, new Set(ours.listeners(event))]));
  for (const name of Object.keys(variables)) delete variables[name];
  for (const [name, value] of Object.entries(env)) if (value !== undefined) variables[name] = value;
  process.chdir(cwd);
  process.exitCode = undefined;
  for (const [name, value] of Object.entries({ stdin, stdout, stderr }))
    Object.defineProperty(process, name, { value, configurable: true });
  globalThis.console = new Console(stdout, stderr);
  commandEnvironment.isActive = true;
  return () => {
    commandEnvironment.isActive = false;
    globalThis.console = before.console;
    for (const [name, descriptor] of streams) Object.defineProperty(process, name, descriptor);
    for (const [event, known] of listeners) {
      for (const listener of ours.listeners(event) as (() => void)[]) if (!known.has(listener)) ours.off(event, listener);
    }
    process.exitCode = before.exitCode;
    process.chdir(before.cwd);
    process.umask(before.umask);
  };
}

/** Loaded by Node itself, as bin/run.js does; once for all test files of this process. */
async function loadProgram(): Promise<Program> {
  const homedir = os.homedir.bind(os);
  os.homedir = () => (commandEnvironment.isActive && (variables['HOME'] ?? variables['USERPROFILE'])) || homedir();
  syncBuiltinESMExports();
  // @ts-expect-error -- a module that exports its own source
  const { load } = (await import('data:text/javascript,export const load = (url) => import(url);')) as {
    readonly load: (url: string) => Promise<Partial<Program>>;
  };
  const files = ['main.js', 'hook.cjs'].map((name) => new URL(`../../dist/program/${name}`, import.meta.url).href);
  const [main, hook] = await Promise.all(files.map(load));
  return { ...main, ...hook } as Program;
}

/** Standard output or standard error of a command. */
class Output extends Writable {
  readonly #chunks: Buffer[] = [];

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#chunks.push(chunk);
    done();
  }

  text(): string {
    return Buffer.concat(this.#chunks).toString();
  }
}
