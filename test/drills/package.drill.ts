import { execFile, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCli } from '../helpers/cli.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { startMcp } from '../helpers/mcp.ts';
import { TINY_MODEL, writeTinyModel } from '../helpers/tiny-model.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** What is packed, and nothing that a running test writes. */
const PACKED = ['bin', 'dist', 'docs', 'oclif.manifest.json', 'package.json', 'CHANGELOG.md', 'LICENSE', 'README.md'];
const INSTALL_MS = 480_000;

interface Locked {
  readonly version?: string;
  readonly dev?: boolean;
  readonly hasInstallScript?: boolean;
}
interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
}

const run = promisify(execFile);
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- each caller knows its file
const read = <T>(path: string): T => JSON.parse(readFileSync(path, 'utf8')) as T;
const packagesOf = (lock: string): [path: string, Locked][] =>
  Object.entries(read<{ packages: Record<string, Locked> }>(lock).packages).filter(([path]) => path !== '');
const nameOf = (path: string): string => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

const reachesRegistry =
  spawnSync('npm', ['view', 'empty-npm-package@1.0.0', 'version', '--fetch-retries=0'], { timeout: 60_000 }).status === 0;
if (!reachesRegistry) process.stderr.write('Not run: the drill of the packed package, for want of an npm registry.\n');

describe.skipIf(!reachesRegistry)('the packed package, installed in a fresh folder', { timeout: INSTALL_MS }, () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let home: string;
  let installed: [path: string, Locked][];

  beforeAll(async () => {
    folder = await temporaryFolder();
    const source = join(folder.path, 'source');
    home = join(folder.path, 'home');
    await Promise.all([mkdir(source), mkdir(home)]);
    for (const name of PACKED) await cp(join(ROOT, name), join(source, name), { recursive: true });
    await writeFile(join(home, 'package.json'), '{ "name": "home", "private": true }');
    await run('npm', ['pack', '--ignore-scripts', '--pack-destination', home], { cwd: source, maxBuffer: 1e8 });
    const { version } = read<{ version: string }>(join(ROOT, 'package.json'));
    await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', `./lore-${version}.tgz`], { cwd: home, maxBuffer: 1e8 });
    installed = packagesOf(join(home, 'package-lock.json')).filter(
      ([path]) => path !== 'node_modules/lore' && existsSync(join(home, path)),
    );
  }, INSTALL_MS);
  afterAll(() => folder[Symbol.asyncDispose]());

  it('has no package that the lock file lacks, its own dependencies in the versions that were tested, and nothing that an install runs', () => {
    const locked = packagesOf(join(ROOT, 'package-lock.json')).filter(([, { dev }]) => dev !== true);
    const names = new Set(locked.map(([path]) => nameOf(path)));
    expect(installed.map(([path]) => nameOf(path)).filter((name) => !names.has(name))).toEqual([]);
    const { dependencies, optionalDependencies } = read<Manifest>(join(ROOT, 'package.json'));
    const own = { ...dependencies, ...optionalDependencies };
    const direct = installed.filter(([path]) => path === `node_modules/${nameOf(path)}` && nameOf(path) in own);
    expect(Object.fromEntries(direct.map(([path, { version }]) => [nameOf(path), version]))).toEqual(
      Object.fromEntries(direct.map(([path]) => [nameOf(path), own[nameOf(path)]])),
    );
    expect(installed.filter(([, { hasInstallScript }]) => hasInstallScript === true)).toEqual([]);
    // Of the native parts one each, for this machine.
    expect(installed.filter(([path]) => /\/onnxruntime-node$|\/lancedb-[^/]+$/.test(path))).toHaveLength(2);
  });

  it('serves, saves, recalls by a model on this machine, speaks MCP and shows its page', async () => {
    await using models = await temporaryFolder();
    await writeTinyModel(models.path);
    await using cli = await openCli({ bin: join(home, 'node_modules/lore/bin/run.js') });
    const env = {
      SERVICE_EMBEDDINGS_PROVIDER: 'local',
      SERVICE_EMBEDDINGS_MODEL: TINY_MODEL,
      SERVICE_EMBEDDINGS_LOCAL_MODEL_PATH: models.path,
      SERVICE_EMBEDDINGS_ALLOW_DOWNLOAD: 'false',
    };
    const server = await cli.serve([], { env });
    const { url } = server;
    const page = await fetch(url);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<script')]);
    await expect
      .poll(async () => ((await (await fetch(`${url}/api/health`)).json()) as { embedder: object }).embedder)
      .toMatchObject({ provider: 'local', model: TINY_MODEL, state: 'ready' });
    expect((await cli.run(['save', 'we deploy with make ship'], { env })).code).toBe(0);
    const { stdout } = await cli.run(['recall', 'deploy', '--mode', 'vector'], { env });
    expect(stdout).toContain('we deploy with make ship');
    expect((await server.stop()).code).toBe(0);
    await using mcp = await startMcp(cli, [], { env });
    expect(await mcp.call<object>('memory_list')).toMatchObject({ total: 1 });
  });

  it('is a library, and a client without a store', async () => {
    const text = "import { VERSION } from 'lore'; import { LoreClient } from 'lore/client'; console.log(VERSION, LoreClient.name);";
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', text], { cwd: home });
    expect(stdout.trim()).toBe(`${read<{ version: string }>(join(ROOT, 'package.json')).version} LoreClient`);
  });
});
