/** Builds the image of docs/examples/container without Docker: with buildah, on a Debian base with the Node that runs the tests. */
import { execFileSync, spawn, spawnSync, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { MOST_OUTPUT, outputOf, variableArguments, type BuiltImage, type ImageSettings, type Variables } from './built-image.ts';
import { hasCommand, installPackages, isRoot, mayMount, pathOf } from './machine.ts';

/** Required programs with their Debian packages. */
const PROGRAMS = { buildah: 'buildah', debootstrap: 'debootstrap' } as const;
const MIRROR = 'http://deb.debian.org/debian';
const BASE = 'localhost/lore-base';
const IMAGE = 'localhost/lore';
/** Root certificates that this machine trusts: a registry behind a proxy may need them. */
const CERTIFICATES = process.env['NODE_EXTRA_CA_CERTS'];

/** Installs the build programs if possible: as root on Debian. Not for test files. */
export function installBuildah(): void {
  const missing = Object.entries(PROGRAMS).flatMap(([program, name]) => (hasCommand(program) ? [] : [name]));
  if (missing.length > 0 && isRoot && existsSync('/usr/bin/apt-get')) installPackages(missing);
}

/** Why no image can be built so; undefined if it can. */
export function noBuildah(): string | undefined {
  if (!mayMount) return 'needs root and mounts';
  const missing = Object.keys(PROGRAMS).filter((program) => !hasCommand(program));
  return missing.length > 0 ? `needs ${missing.join(' and ')}` : undefined;
}

export class BuildahImage implements BuiltImage {
  readonly #root = mkdtempSync(join(tmpdir(), 'lore-image-'));
  readonly #container: string;
  readonly settings: ImageSettings;

  /** Builds Debian's base, Node, and the Dockerfile from `context`. Takes minutes. */
  constructor(dockerfile: string, context: string) {
    this.#makeBase();
    this.#buildah('build', '--format', 'docker', '--build-arg', `NODE_IMAGE=${BASE}`, '--file', dockerfile, '--tag', IMAGE, context);
    const inspected = JSON.parse(this.#buildah('inspect', '--type', 'image', IMAGE)) as { Docker: { config: ImageSettings } };
    this.settings = inspected.Docker.config;
    this.#container = this.#buildah('from', IMAGE).trim();
  }

  start(command: readonly string[], variables: Variables = {}): ChildProcessWithoutNullStreams {
    return spawn('buildah', [...this.#places, ...this.#runArguments(command, variables)], { env: this.#environment });
  }

  signal(name: NodeJS.Signals, pid: number): void {
    process.kill(pid, name);
  }

  run(command: readonly string[], variables: Variables = {}): string {
    return this.#buildah(...this.#runArguments(command, variables));
  }

  [Symbol.dispose](): void {
    this.#buildah('rm', '--all');
    spawnSync('umount', ['--recursive', '--lazy', join(this.#root, 'store/overlay')]);
    rmSync(this.#root, { recursive: true, force: true });
  }

  #runArguments(command: readonly string[], variables: Variables): string[] {
    return ['run', '--user', this.settings.User, ...variableArguments(variables), this.#container, '--', ...command];
  }

  get #places(): string[] {
    return ['--root', join(this.#root, 'store'), '--runroot', join(this.#root, 'run')];
  }

  /** Needs no daemon: chroot runs a process in the image's root. */
  get #environment(): NodeJS.ProcessEnv {
    return { ...process.env, BUILDAH_ISOLATION: 'chroot' };
  }

  #buildah(...args: readonly string[]): string {
    const options = { env: this.#environment, encoding: 'utf8', maxBuffer: MOST_OUTPUT } as const;
    return outputOf(spawnSync('buildah', [...this.#places, ...args], options));
  }

  #makeBase(): void {
    const base = join(this.#root, 'base');
    execFileSync('debootstrap', ['--variant=minbase', 'bookworm', base, MIRROR], { stdio: 'ignore' });
    cpSync(process.execPath, join(base, 'usr/local/bin/node'));
    const npm = dirname(dirname(realpathSync(pathOf('npm')!)));
    cpSync(npm, join(base, 'usr/local/lib/npm'), { recursive: true, dereference: true });
    symlinkSync('../lib/npm/bin/npm-cli.js', join(base, 'usr/local/bin/npm'));
    if (CERTIFICATES !== undefined) {
      mkdirSync(join(base, dirname(CERTIFICATES)), { recursive: true });
      cpSync(CERTIFICATES, join(base, CERTIFICATES), { dereference: true });
    }
    const container = this.#buildah('from', 'scratch').trim();
    this.#buildah('copy', container, base, '/');
    if (CERTIFICATES !== undefined) this.#buildah('config', '--env', `NODE_EXTRA_CA_CERTS=${CERTIFICATES}`, container);
    this.#buildah('commit', container, BASE);
    this.#buildah('rm', container);
    rmSync(base, { recursive: true });
  }
}
