/** Builds the image of docs/examples/container with a Docker daemon, on its published base, and runs it as docs/container.md does. */
import { spawn, spawnSync, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { MOST_OUTPUT, outputOf, variableArguments, type BuiltImage, type ImageSettings, type Variables } from './built-image.ts';

const ANSWER_MS = 10_000;
/** The `docker` of Podman needs it to keep the health check. */
const ENVIRONMENT = { BUILDAH_FORMAT: 'docker' } as const;
const HARDENED = ['--read-only', '--tmpfs', '/tmp', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges'] as const;

/** Whether a Docker daemon answers: the command alone may be installed without one. */
export function hasDaemon(): boolean {
  return spawnSync('docker', ['info'], { stdio: 'ignore', timeout: ANSWER_MS }).status === 0;
}

export class DockerImage implements BuiltImage {
  readonly #name = `lore-image-${randomUUID()}`;
  readonly #server = `${this.#name}-server`;
  #isRunning = false;
  readonly settings: ImageSettings;

  /** Takes minutes, and loads the base from its registry. */
  constructor(dockerfile: string, context: string) {
    docker('build', '--file', dockerfile, '--tag', this.#name, context);
    const [image] = JSON.parse(docker('image', 'inspect', this.#name)) as [Inspected];
    const { Config, Healthcheck } = image;
    this.settings = { ...Config, Healthcheck: Config.Healthcheck ?? Healthcheck! };
  }

  start(command: readonly string[], variables: Variables = {}): ChildProcessWithoutNullStreams {
    const args = ['run', '--name', this.#server, ...HARDENED, ...this.#runArguments(command, variables)];
    const child = spawn('docker', args, { env: environment() });
    this.#isRunning = true;
    child.once('exit', () => (this.#isRunning = false));
    return child;
  }

  signal(name: NodeJS.Signals): void {
    docker('kill', '--signal', name, this.#server);
  }

  run(command: readonly string[], variables: Variables = {}): string {
    return this.#isRunning
      ? docker('exec', ...variableArguments(variables), this.#server, ...command)
      : docker('run', ...this.#runArguments(command, variables));
  }

  [Symbol.dispose](): void {
    // A test that failed leaves its container, and the volume belongs to it until it is gone.
    spawnSync('docker', ['rm', '--force', this.#server], { stdio: 'ignore' });
    docker('volume', 'rm', '--force', this.#name);
    docker('image', 'rm', '--force', this.#name);
  }

  #runArguments([program, ...args]: readonly string[], variables: Variables): string[] {
    const place = ['--rm', '--network', 'host', '--volume', `${this.#name}:/data`];
    return [...place, ...variableArguments(variables), '--entrypoint', program!, this.#name, ...args];
  }
}

/** Podman reports the health check outside the configuration. */
interface Inspected {
  readonly Config: Omit<ImageSettings, 'Healthcheck'> & Partial<Pick<ImageSettings, 'Healthcheck'>>;
  readonly Healthcheck?: ImageSettings['Healthcheck'];
}

const environment = (): NodeJS.ProcessEnv => ({ ...process.env, ...ENVIRONMENT });

function docker(...args: readonly string[]): string {
  return outputOf(spawnSync('docker', args, { env: environment(), encoding: 'utf8', maxBuffer: MOST_OUTPUT }));
}
