import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { expect } from 'vitest';
import { BIN } from '../helpers/cli.ts';
import { patternOf, squeezed, stepsOf } from './transcript.ts';

/** Between what one command printed and what the next one does, with the exit code of the first. */
const END = '\u001E';

/** What the documents call the home of the reader, and the port of the server. */
const HOME = '/home/ada';
const PORT = '7007';

/** What a shell finds in place of the supervisor, of other machines, and of a `lore` that is installed. */
const COMMANDS: Readonly<Record<string, string>> = {
  lore: `exec "${process.execPath}" "${BIN}" "$@"`,
  // One unit, `lore`. A process that nobody waits for may stay as a zombie, so its end is told by a file.
  systemctl: `
pid="$HOME/server.pid"; out="$HOME/server.out"; end="$HOME/server.end"
start() {
  rm -f "$end" "$out"
  ( ( echo "$BASHPID" > "$pid"; exec lore serve --json > "$out" 2>> "$HOME/server.log" ); echo $? > "$end" ) < /dev/null > /dev/null 2>&1 &
  until [ -s "$out" ]; do [ -e "$end" ] && { tail -n 5 "$HOME/server.log"; exit 1; }; sleep 0.1; done
}
stop() {
  [ -e "$pid" ] || return 0
  kill -TERM "$(cat "$pid")" 2> /dev/null
  until [ -e "$end" ]; do sleep 0.1; done
  rm "$pid"
  [ "$(cat "$end")" = 0 ] || { echo "lore.service: exited with $(cat "$end")"; exit 1; }
}
case "$*" in
  *start\\ lore) [[ "$*" == *restart* ]] && stop; start ;;
  *stop\\ lore) stop ;;
  "--user daemon-reload") ;;
  *enable\\ --now\\ lore) [ -s "$HOME/.config/systemd/user/lore.service" ] && start ;;
  *) echo "systemctl $*: not known here" >&2; exit 1 ;;
esac`,
  ssh: 'shift; cd "$NEW_HOME"; HOME="$NEW_HOME" exec bash -c "$*"',
  scp: 'for last; do :; done; exec cp "${@:1:$#-1}" "$NEW_HOME/${last#*:}"',
};

/** A made-up machine on which the drills of docs/operations.md are done: the real `lore`, real files, a home of its own, and another machine beside it. */
export interface Machine extends AsyncDisposable {
  readonly home: string;
  /** Of the other machine. */
  readonly newHome: string;
  /** Its server answers here, once it is started. */
  readonly url: string;
  /** Does what the document says, in one shell with what was done before, and compares what it prints. */
  play(drill: string, document?: string): Promise<void>;
  /** Runs a command that is not in the document. */
  run(command: string): Promise<{ readonly output: string; readonly code: number }>;
}

export interface MachineOptions {
  /** Further environment of every command. */
  readonly env?: Readonly<Record<string, string>>;
  /** What stands for a text of the document here, such as an address. */
  readonly instead?: Readonly<Record<string, string>>;
}

type Shell = ChildProcessByStdio<Writable, Readable, null>;

/** Needs dist/; ends what it started and removes everything when disposed. */
export async function openMachine({ env = {}, instead = {} }: MachineOptions = {}): Promise<Machine> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'lore-drill-')));
  const [home, newHome, bin] = [join(folder, 'home'), join(folder, 'new'), join(folder, 'bin')];
  await Promise.all([home, newHome, bin].map((path) => mkdir(path)));
  await Promise.all(Object.entries(COMMANDS).map(([name, script]) => install(join(bin, name), script)));
  const port = await freePort();
  const shell = spawn('bash', ['--norc', '--noprofile'], {
    cwd: home,
    stdio: ['pipe', 'pipe', 'ignore'],
    env: {
      PATH: `${bin}:${process.env['PATH'] ?? ''}`,
      HOME: home,
      NEW_HOME: newHome,
      TZ: 'UTC',
      SERVICE_PORT: port,
      SERVICE_EMBEDDINGS_PROVIDER: 'builtin',
      ...env,
    },
  });
  shell.stdout.setEncoding('utf8');
  const names: [there: string, here: string][] = [[PORT, port], [HOME, home], ...Object.entries(instead)];
  const here = (text: string): string => names.reduce((done, [there, own]) => done.replaceAll(there, own), text);
  const asWritten = (text: string): string =>
    names.reduce((done, [there, own]) => done.replaceAll(own, there), text.replaceAll(newHome, HOME));
  const run = async (command: string): Promise<{ output: string; code: number }> => {
    const { output, code } = await inShell(shell, here(command));
    return { output: asWritten(output), code };
  };
  return {
    home,
    newHome,
    url: `http://127.0.0.1:${port}`,
    run,
    play: async (drill, document) => {
      for (const step of stepsOf(drill, document)) {
        const { output, code } = await run(step.command);
        expect(squeezed(output), step.command).toMatch(patternOf(step.output));
        expect(code, `exit code of ${step.command}\n${output}`).toBe(step.exitCode);
      }
    },
    [Symbol.asyncDispose]: async () => {
      for (const place of [home, newHome]) await endServer(join(place, 'server.pid'), join(place, 'server.end'));
      shell.kill('SIGKILL');
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

async function install(path: string, script: string): Promise<void> {
  await writeFile(path, `#!/usr/bin/env bash\n${script}\n`);
  await chmod(path, 0o755);
}

async function inShell(shell: Shell, command: string): Promise<{ output: string; code: number }> {
  shell.stdin.write(`{ ${command}\n} < /dev/null 2>&1; printf '${END}%d${END}' $?\n`);
  let output = '';
  for await (const chunk of shell.stdout.iterator({ destroyOnReturn: false })) {
    output += String(chunk);
    const end = new RegExp(`${END}(\\d+)${END}$`).exec(output);
    if (end !== null) return { output: output.slice(0, end.index), code: Number(end[1]) };
  }
  throw new Error(`The shell ended in ${command}: ${output}`);
}

/** A server that a failed drill has left behind. */
async function endServer(pidFile: string, endFile: string): Promise<void> {
  const [pid, end] = await Promise.all([pidFile, endFile].map((file) => readFile(file, 'utf8').catch(() => '')));
  if (pid === '' || pid === undefined || end !== '') return;
  try {
    process.kill(Number(pid), 'SIGKILL');
  } catch {
    // It ended meanwhile.
  }
}

/** A port that nobody listens on; the document needs to name one. */
export async function freePort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return String(port);
}
