import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { noBuildah } from './buildah-image.ts';
import { buildImage, noBuilder } from './image-builder.ts';

const SETTINGS = {
  User: '1000:1000',
  Env: [],
  Entrypoint: ['node', '/app/bin/run.js'],
  Cmd: ['serve', '--json'],
  Volumes: { '/data': {} },
};
const HEALTHCHECK = { Test: ['CMD', 'check'] };

/** Stands in for `docker` on the path: writes down its arguments, and a server runs until a signal is sent. */
const DOCKER = (folder: string, daemon: 'answers' | 'away', image: object): string => `#!${process.execPath}
const { appendFileSync, existsSync, rmSync, writeFileSync } = require('node:fs');
const args = process.argv.slice(2);
const signalled = ${JSON.stringify(join(folder, 'signalled'))};
appendFileSync(${JSON.stringify(join(folder, 'calls'))}, JSON.stringify(args) + '\\n');
if (args[0] === 'info') process.exit(${daemon === 'answers' ? 0 : 1});
if (args[0] === 'image' && args[1] === 'inspect') console.log(${JSON.stringify(JSON.stringify([image]))});
if (args[0] === 'kill') writeFileSync(signalled, '');
if (args.includes('fails')) { console.error('it failed'); process.exit(3); }
if (args[0] === 'exec' || (args[0] === 'run' && !args.includes('--name'))) console.log('said');
if (args[0] === 'run' && args.includes('--name'))
  setInterval(() => { if (existsSync(signalled)) { rmSync(signalled); process.exit(0); } }, 10);
`;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lore-docker-'));
  vi.stubEnv('PATH', `${folder}${delimiter}${process.env['PATH']}`);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

const install = (daemon: 'answers' | 'away', image: object = { Config: { ...SETTINGS, Healthcheck: HEALTHCHECK } }): void =>
  writeFileSync(join(folder, 'docker'), DOCKER(folder, daemon, image), { mode: 0o755 });

/** Arguments of all calls so far but for the question whether a daemon answers. */
const calls = (): string[][] =>
  readFileSync(join(folder, 'calls'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as string[])
    .filter(([command]) => command !== 'info');

// Windows runs no script by its first line.
describe.skipIf(process.platform === 'win32')('an image', () => {
  it('is built and run with Docker if its daemon runs', async () => {
    install('answers');
    expect(noBuilder()).toBeUndefined();
    const image = buildImage('/context/Dockerfile', '/context');
    const [build] = calls();
    const name = build!.at(-2)!;
    expect(build).toEqual(['build', '--file', '/context/Dockerfile', '--tag', name, '/context']);
    expect(image.settings).toEqual({ ...SETTINGS, Healthcheck: HEALTHCHECK });

    const server = image.start(['node', 'serve'], { SERVICE_SERVER_PORT: '7100' });
    expect(image.run(['node', 'save'], { SERVICE_API_KEY: 'k' })).toBe('said\n');
    // What the server reports as its pid is 1 in a container: no process of this machine may get the signal.
    image.signal('SIGTERM', 1);
    await once(server, 'exit');
    expect(image.run(['node', 'list'])).toBe('said\n');
    image[Symbol.dispose]();

    const place = ['--rm', '--network', 'host', '--volume', `${name}:/data`];
    const container = `${name}-server`;
    const hardened = ['--read-only', '--tmpfs', '/tmp', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges'];
    const started = [
      'run',
      '--name',
      container,
      ...hardened,
      ...place,
      '--env',
      'SERVICE_SERVER_PORT=7100',
      '--entrypoint',
      'node',
      name,
      'serve',
    ];
    const later = calls().slice(2);
    expect(later).toContainEqual(started);
    expect(later.filter(([command, flag]) => command !== 'run' || flag !== '--name')).toEqual([
      ['exec', '--env', 'SERVICE_API_KEY=k', container, 'node', 'save'],
      ['kill', '--signal', 'SIGTERM', container],
      ['run', ...place, '--entrypoint', 'node', name, 'list'],
      ['rm', '--force', container],
      ['volume', 'rm', '--force', name],
      ['image', 'rm', '--force', name],
    ]);
  });

  it('reports the exit status of a command that fails in it', () => {
    install('answers');
    const image = buildImage('/context/Dockerfile', '/context');
    expect(() => image.run(['node', 'fails'])).toThrow('exit status 3: it failed');
  });

  it('has the health check where Podman, called as docker, reports it', () => {
    install('answers', { Config: SETTINGS, Healthcheck: HEALTHCHECK });
    expect(buildImage('/context/Dockerfile', '/context').settings.Healthcheck).toEqual(HEALTHCHECK);
  });

  it('needs buildah if docker is installed without a daemon', () => {
    install('away');
    expect(noBuilder()).toBe(noBuildah());
  });
});
