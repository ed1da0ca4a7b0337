import type { ChildProcessWithoutNullStreams, SpawnSyncReturns } from 'node:child_process';

/** The image's configuration. */
export interface ImageSettings {
  readonly User: string;
  readonly Env: readonly string[];
  readonly Entrypoint: readonly string[];
  readonly Cmd: readonly string[];
  readonly Volumes: Readonly<Record<string, object>>;
  readonly Healthcheck: { readonly Test: readonly ['CMD', ...string[]] };
}

/** Environment of a process. */
export type Variables = Readonly<Record<string, string>>;

/** A built image with one volume at /data. Its processes run as its user and share the network of this machine. */
export interface BuiltImage extends Disposable {
  readonly settings: ImageSettings;
  /** Starts the server; one at a time. */
  start(command: readonly string[], variables?: Variables): ChildProcessWithoutNullStreams;
  /** Sends a signal to the server. `pid` is what it reports, which in a container is not its pid on this machine. */
  signal(name: NodeJS.Signals, pid: number): void;
  /** Runs a command in the container of the server if one runs, and returns its standard output; throws its exit status if it fails. */
  run(command: readonly string[], variables?: Variables): string;
}

/** Standard output of a process that ended with 0. */
export function outputOf({ error, status, stdout, stderr }: SpawnSyncReturns<string>): string {
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`exit status ${status}: ${stderr}`);
  return stdout;
}

/** Arguments that set variables, the same for all builders. */
export const variableArguments = (variables: Variables): string[] =>
  Object.entries(variables).flatMap(([name, value]) => ['--env', `${name}=${value}`]);

/** Longest output of a command of an image. */
export const MOST_OUTPUT = 2 ** 26;
