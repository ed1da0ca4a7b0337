import { execFile, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCli } from '../helpers/cli.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { startMcp } from '../helpers/mcp.ts';
import { TINY_MODEL, writeTinyModel } from '../helpers/tiny-model.ts';
import { findNodes, MAJORS } from './nodes.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** A tree after its build, and nothing that a running test writes. */
const BUILT = ['bin', 'dist', 'docs', 'oclif.manifest.json', 'package.json', 'package-lock.json', 'CHANGELOG.md', 'LICENSE', 'README.md'];
const INSTALL_MS = 480_000;

interface Locked {
  readonly version?: string;
  readonly dev?: boolean;
  readonly hasInstallScript?: boolean;
}
interface Manifest {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
}

const run = promisify(execFile);
const npm = (args: readonly string[], cwd: string): Promise<{ stdout: string }> =>
  run('npm', [...args, '--no-audit', '--no-fund'], { cwd, maxBuffer: 1e8 });
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- each caller knows its file
const read = <T>(path: string): T => JSON.parse(readFileSync(path, 'utf8')) as T;
const packagesOf = (lock: string): [path: string, Locked][] =>
  Object.entries(read<{ packages: Record<string, Locked> }>(lock).packages).filter(([path]) => path !== '');
const nameOf = (path: string): string => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

const { version, dependencies, optionalDependencies } = read<Manifest>(join(ROOT, 'package.json'));
const reachesRegistry =
  spawnSync('npm', ['view', `zod@${dependencies['zod']}`, 'version', '--fetch-retries=0'], { timeout: 60_000 }).status === 0;
const nodes = await findNodes({ registry: reachesRegistry });
if (!reachesRegistry) process.stderr.write('Not run: the drills of the packed package, for want of an npm registry.\n');
for (const major of MAJORS)
  if (!nodes.has(major)) process.stderr.write(`Not run: the packed package on Node ${major}, which LORE_TEST_NODES does not name.\n`);

/** Uses all that somebody uses who has just installed Lore in `folder`. */
async function expectWorking(folder: string, node = process.execPath): Promise<void> {
  await using models = await temporaryFolder();
  await writeTinyModel(models.path);
  const bin = join(folder, 'bin/run.js');
  await using cli = await openCli({ bin, node });
  const env = {
    SERVICE_EMBEDDINGS_PROVIDER: 'local',
    SERVICE_EMBEDDINGS_MODEL: TINY_MODEL,
    SERVICE_EMBEDDINGS_LOCAL_MODEL_PATH: models.path,
    SERVICE_EMBEDDINGS_ALLOW_DOWNLOAD: 'false',
  };
  const server = await cli.serve([], { env });
  const { url } = server;
  const page = await (await fetch(url)).text();
  const script = await fetch(new URL(/<script type="module"[^>]* src="([^"]+)"/.exec(page)![1]!, url));
  expect([script.status, script.headers.get('content-type')]).toEqual([200, expect.stringContaining('javascript')]);
  await expect
    .poll(async () => ((await (await fetch(`${url}/api/health`)).json()) as { embedder: object }).embedder)
    .toMatchObject({ provider: 'local', model: TINY_MODEL, state: 'ready' });
  expect(await cli.run(['save', 'we deploy with make ship'], { env })).toMatchObject({ code: 0, stderr: 'Saved.\n' });
  const { stdout } = await cli.run(['recall', 'deploy', '--mode', 'vector'], { env });
  expect(stdout).toContain('we deploy with make ship');
  await writeFile(join(cli.cwd, 'notes.html'), '<h1>Notes</h1><p>The spare key is under the pot.</p>');
  expect(await cli.run(['ingest', 'notes.html'], { env })).toMatchObject({ code: 0 });
  expect((await server.stop()).code).toBe(0);
  await using mcp = await startMcp(cli, [], { env });
  expect(await mcp.call<object>('memory_list')).toMatchObject({ total: 2 });
  const setup = await cli.run(['setup', '--dry-run'], { env });
  expect(setup).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining(bin) });
  expect(existsSync(join(cli.home, '.claude.json'))).toBe(false);
}

describe.skipIf(!reachesRegistry)('the package', { timeout: INSTALL_MS }, () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let source: string;
  let home: string;
  let packed: readonly string[];

  beforeAll(async () => {
    folder = await temporaryFolder();
    [source, home] = [join(folder.path, 'source'), join(folder.path, 'home')];
    await Promise.all([mkdir(source), mkdir(home)]);
    for (const name of BUILT) await cp(join(ROOT, name), join(source, name), { recursive: true });
    await writeFile(join(home, 'package.json'), '{ "name": "home", "private": true }');
    const { stdout } = await npm(['pack', '--ignore-scripts', '--json', '--pack-destination', home], source);
    const [{ files, size }] = JSON.parse(stdout) as [{ files: { path: string }[]; size: number }];
    packed = files.map(({ path }) => path);
    process.stderr.write(`The packed package: ${packed.length} files, ${(size / 1e6).toFixed(1)} MB.\n`);
    await npm(['install', '--ignore-scripts', `./lore-${version}.tgz`], home);
  }, INSTALL_MS);
  afterAll(() => folder[Symbol.asyncDispose]());

  it('contains runtime files, types and documents only', async () => {
    const kinds = [
      /^bin\/(?:run\.js|package\.json)$/,
      /^bin\/assets\/(?:word-meanings\.bin|NOTICE|LICENSE-APACHE-2\.0)$/,
      /^dist\/(?!node_modules).+\.(?:c?js|d\.ts|css|html|svg)$/,
      /^dist\/web\/.+\.(?:js|css|html)\.(?:br|gz)$/,
      /^docs\/(?:[^/]+\.md|examples\/.+)$/,
    ];
    const others = packed.filter((path) => !path.startsWith('dist/node_modules/') && !kinds.some((kind) => kind.test(path)));
    expect(others.sort()).toEqual(['CHANGELOG.md', 'LICENSE', 'README.md', 'oclif.manifest.json', 'package.json']);
    // Compiled, and in the bundle: nobody loads them from here.
    expect(packed.filter((path) => /^dist\/(?:cli|http|mcp)\//.test(path))).toEqual([]);
    expect(await missingModules(join(home, 'node_modules/lore'), packed)).toEqual([]);
  });

  it('installs only locked and tested versions of its dependencies, and runs no install scripts', () => {
    const installed = packagesOf(join(home, 'package-lock.json')).filter(
      ([path]) => path !== 'node_modules/lore' && existsSync(join(home, path)),
    );
    const locked = packagesOf(join(ROOT, 'package-lock.json')).filter(([, { dev }]) => dev !== true);
    const names = new Set(locked.map(([path]) => nameOf(path)));
    expect(installed.map(([path]) => nameOf(path)).filter((name) => !names.has(name))).toEqual([]);
    const own = { ...dependencies, ...optionalDependencies };
    const direct = installed.filter(([path]) => path === `node_modules/${nameOf(path)}` && nameOf(path) in own);
    expect(Object.fromEntries(direct.map(([path, { version: found }]) => [nameOf(path), found]))).toEqual(
      Object.fromEntries(direct.map(([path]) => [nameOf(path), own[nameOf(path)]])),
    );
    expect(installed.filter(([, { hasInstallScript }]) => hasInstallScript === true)).toEqual([]);
    // Of the native parts one each, for this machine.
    expect(installed.filter(([path]) => /\/onnxruntime-node$|\/lancedb-[^/]+$/.test(path))).toHaveLength(2);
  });

  for (const major of MAJORS) {
    it.skipIf(!nodes.has(major))(`works on Node ${major}: server, page, command line, a model on this machine, MCP, setup`, async () => {
      await expectWorking(join(home, 'node_modules/lore'), nodes.get(major));
    });

    it.skipIf(!nodes.has(major))(`is a library on Node ${major}, and a client without a store`, async () => {
      const text = "import { VERSION } from 'lore'; import { LoreClient } from 'lore/client'; console.log(VERSION, LoreClient.name);";
      const { stdout } = await run(nodes.get(major)!, ['--input-type=module', '-e', text], { cwd: home });
      expect(stdout.trim()).toBe(`${version} LoreClient`);
    });
  }

  it('runs from a previously built tree, after `npm ci --omit=dev`', async () => {
    await npm(['ci', '--omit=dev', '--strict-allow-scripts'], source);
    expect(existsSync(join(source, 'node_modules/typescript'))).toBe(false);
    await expectWorking(source);
  });
});

/** What the modules and types of a package name beside them, and is not in it. */
async function missingModules(root: string, files: readonly string[]): Promise<string[]> {
  const present = new Set(files);
  const modules = files.filter((path) => /^dist\/(?!program|web|node_modules).+\.(?:c?js|d\.ts)$/.test(path));
  const missing = await Promise.all(
    modules.map(async (path) => {
      const text = await readFile(join(root, path), 'utf8');
      const named = Array.from(text.matchAll(/\b(?:from|import)\s*\(?\s*'(\.[^']+)'/g), ([, name]) => join(dirname(path), name!));
      return named
        .map((name) => (path.endsWith('.d.ts') ? name.replace(/\.(?:js|ts)$/, '.d.ts') : name))
        .filter((name) => !present.has(name));
    }),
  );
  return missing.flat();
}
