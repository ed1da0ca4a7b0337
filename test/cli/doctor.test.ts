import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { mkdir, writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { formatCheckup, type Checkup } from '../../src/cli/checks/checkup.ts';
import { diskFindings, versionFindings } from '../../src/cli/checks/environment.ts';
import type { Diagnosis } from '../../src/memory/operations/operations.ts';
import { openCliInProcess, type CliInProcess } from '../helpers/cli-in-process.ts';
import { seed } from '../helpers/cli-store.ts';

let cli: CliInProcess;
let env: Record<string, string>;
beforeEach(async () => {
  cli = await openCliInProcess();
  env = { SERVICE_PORT: String(await freePort()) };
});
afterEach(() => cli[Symbol.asyncDispose]());

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}
const portOf = ({ url }: { url: string }): Record<string, string> => ({ SERVICE_PORT: new URL(url).port });
async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listening(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe.each([
  { where: 'without a server', serve: false },
  { where: 'beside a running server', serve: true },
])('the doctor $where', ({ serve }) => {
  beforeEach(async () => {
    if (serve) env = portOf(await cli.serveHere());
    await seed(cli, [{ content: 'The spare key is with Ana' }]);
  });

  it('runs only cheap checks', async () => {
    const { code, stdout } = await cli.run(['doctor'], { env });
    expect(stdout).toMatch(/^Version +lore \d\S+, node \d+\.\d+\.\d+, LanceDB 0\.\d+\.\d+\n/);
    expect(stdout).toMatch(/^Configuration +defaults, no file$/m);
    expect(stdout).toMatch(/^Namespace +project-[0-9a-f]{8} \(/m);
    expect(stdout).toMatch(/^Format +\d+$/m);
    expect(stdout).toMatch(/^Entries +1, \d/m);
    expect(stdout).toMatch(/^Not indexed +\d+ rows?, scanned by each search$/m);
    expect(stdout).toMatch(/^Embedder +builtin /m);
    expect(stdout).toMatch(new RegExp(`^Port +${env['SERVICE_PORT']}, ${serve ? 'used by the server of this store' : 'free'}$`, 'm'));
    expect(stdout).toMatch(/^Disk +\S+ .B free$/m);
    expect(stdout).toMatch(/^Integrations +none$/m);
    expect(stdout).toMatch(/^Last backup +none$/m);
    expect(/^Open in +process \d+, server http:/m.test(stdout)).toBe(serve);
    expect(stdout).toMatch(/\n\nAll is well\.\n$/);
    expect(code).toBe(0);
    const checkup = (await cli.run(['doctor', '--json'], { env })).json<Checkup>();
    expect(checkup).toMatchObject({ healthy: true, findings: [], store: { entries: 1 } });
    expect(checkup.surroundings).toMatchObject({ port: { state: serve ? 'ours' : 'free' }, disk: { freeBytes: expect.any(Number) } });
    expect(JSON.stringify(checkup)).not.toContain('token');
    expect(checkup).not.toHaveProperty('diagnosis');
  });
});

describe('a checkup', () => {
  const storage = { bytes: 1, fragments: 3, indexedRows: 9, unindexedRows: 1200, tableVersion: 7 };
  const diagnosis: Diagnosis = {
    rows: 100_000,
    freshRows: 1200,
    unindexedRows: { keyword: 0, vector: 2048 },
    vectorIndex: { kind: 'ivf_rq', builtAt: Date.now() - 3_660_000 },
    recall: { probes: 100, all: 0.9912, oneNamespace: 0.998, worst: 0.7 },
    drift: 0.0325,
    disagreements: 0,
    search: {
      probes: 100,
      keyword: { first: 0.9, firstFive: 1, meanReciprocalRank: 0.95 },
      hybrid: { first: 0.805, firstFive: 0.97, meanReciprocalRank: 0.8871 },
      better: 1,
      worse: 11,
    },
    findings: [],
  };
  const embedder = { provider: 'builtin', model: 'words', dimensions: 384, state: 'ready' } as const;
  const checkup: Checkup = {
    healthy: true,
    findings: [],
    versions: { lore: '1.0.0', node: '20.19.0', lanceDb: '0.31.0' },
    store: { server: 'http://127.0.0.1:7007', entries: 5, maintenance: 'idle', storage, embedder },
  };

  it('shows every figure of a diagnosis', () => {
    // Now, and not when the file was read: on a busy machine minutes lie between.
    const vectorIndex = { kind: 'ivf_rq', builtAt: Date.now() - 3_660_000 } as const;
    expect(formatCheckup({ ...checkup, diagnosis: { ...diagnosis, vectorIndex } }).split('\n')).toEqual([
      'Version        lore 1.0.0, node 20.19.0, LanceDB 0.31.0',
      'Open in        http://127.0.0.1:7007',
      'Rows           100,000',
      'Fresh rows     1,200, in the log and in memory',
      'Not indexed    0 by word, 2,048 by vector',
      'Vector index   ivf_rq, built 1 h 1 min ago',
      'Recall@10      0.991 over all rows, 0.998 within one namespace, 0.700 the worst of 100 probes',
      'Own entries    hybrid search: 81 % first, 97 % in five, MRR 0.887; words alone: 90 % first, 100 % in five, MRR 0.950; 100 probes',
      'Drift          3.3 % of the rows since the vector index was built',
      'Disagreements  none',
      'Fragments      3, table version 7',
      'Maintenance    idle',
      'Embedder       builtin words (384 dimensions, ready)',
      'Last backup    none',
      '',
      'All is well.',
    ]);
  });

  it('lists its findings last, each with a remedy', () => {
    const findings = [
      { about: 'port', problem: 'One thing.', fix: 'Do this.' },
      { about: 'disk', problem: 'Another.', fix: 'Do that.' },
    ] as const;
    const text = formatCheckup({ ...checkup, healthy: false, findings });
    expect(text).toMatch(/^Not indexed +1,200 rows, scanned by each search$/m);
    expect(text).toMatch(/\n\n2 findings\n! One thing\.\n {2}fix: Do this\.\n! Another\.\n {2}fix: Do that\.$/);
  });

  it('finds a Node that is too old and a disk that is nearly full', () => {
    expect(versionFindings({ node: '20.18.3' })).toMatchObject([{ about: 'version', fix: 'Install Node 20.19 or later.' }]);
    expect([...versionFindings({ node: '20.19.0' }), ...versionFindings({ node: '24.1.0' })]).toEqual([]);
    const gigabyte = 1024 ** 3;
    expect(diskFindings({ freeBytes: gigabyte }, 2 * gigabyte)).toMatchObject([
      { about: 'disk', problem: expect.stringContaining('1.0 GB') },
    ]);
    expect(diskFindings({ freeBytes: gigabyte / 8 })).toHaveLength(1);
    expect(diskFindings({ freeBytes: gigabyte }, gigabyte / 2)).toEqual([]);
  });
});

describe('the doctor', () => {
  it('measures the recall of the indexes with --recall', async () => {
    await seed(cli, [{ content: 'The spare key is with Ana' }]);
    const { code, stdout } = await cli.run(['doctor', '--recall', '--probes', '5'], { env });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Rows +1\nFresh rows +\d+, in the log and in memory\nNot indexed +\d+ by word, \d+ by vector\n/m);
    expect(stdout).toMatch(/^Vector index +none: every search is exact$/m);
    expect(stdout).toMatch(/^Recall@10 +(1\.000 over all rows|nothing to measure)/m);
    expect(stdout).toMatch(/^Own entries +nothing to search for/m);
    expect(stdout).toMatch(/^Disagreements +none$/m);
    const { diagnosis } = (await cli.run(['doctor', '--recall', '--json'], { env })).json<Checkup>();
    expect(diagnosis).toMatchObject({
      rows: 1,
      vectorIndex: { kind: 'none' },
      recall: { all: 1, oneNamespace: 1, worst: 1 },
      search: { probes: 0 },
      findings: [],
    });
  });

  const checkupOf = async (more: Record<string, string> = {}, args: string[] = []): Promise<Checkup> => {
    const ran = await cli.run(['doctor', '--json', ...args], { env: { ...env, ...more } });
    expect(ran.code).toBe(1);
    return ran.json<Checkup>();
  };

  it('exits with 1 and lists the findings if there are any', async () => {
    // No model host answers, so the builtin embedder stands in, and that is said.
    const broken = {
      ...env,
      SERVICE_EMBEDDINGS_PROVIDER: 'openai',
      SERVICE_EMBEDDINGS_BASE_URL: 'http://127.0.0.1:9/v1',
      SERVICE_EMBEDDINGS_API_KEY: 'x',
    };
    await cli.run(['save', 'waits for its vector'], { env: broken });
    const { code, stdout } = await cli.run(['doctor'], { env: broken });
    expect(stdout).toMatch(/\n\n1 finding\n! \S.*\n {2}fix: \S/);
    expect(code).toBe(1);
    const { healthy, findings } = await checkupOf(broken);
    expect({ healthy, findings }).toMatchObject({
      healthy: false,
      findings: [{ about: 'embedder', fix: expect.stringContaining('lore migrate') }],
    });
  });

  it('finds every fault of the configuration, and checks as much as it can', async () => {
    const { findings, versions, store } = await checkupOf({ SERVICE_SEARCH_LIMIT: 'many', SERVICE_STORAGE_TYPE: 'paper' });
    expect(findings).toMatchObject([{ about: 'configuration', problem: expect.stringMatching(/storage\.type.*search\.limit/s) }]);
    expect(versions.node).toBe(process.versions.node);
    expect(store).toBeUndefined();
    const { stdout } = await cli.run(['doctor'], { env: { SERVICE_SEARCH_LIMIT: 'many' } });
    expect(stdout).toMatch(/^Version .*\n\n1 finding\n! The configuration has an error:/);
  });

  it('reports a port of another program, and the server of another store', async () => {
    const other = createServer((_req, res) => void res.end('hello'));
    const port = String(await listening(other));
    const { findings, surroundings } = await checkupOf({ SERVICE_PORT: port });
    expect(surroundings?.port.state).toBe('taken');
    expect(findings).toEqual([
      { about: 'port', problem: `Port ${port} is taken by another program.`, fix: expect.stringContaining('server.port') },
    ]);
    other.close();
    const served = await cli.serveHere({ SERVICE_STORAGE_PATH: join(cli.home, 'another') });
    expect((await checkupOf(portOf(served))).findings).toMatchObject([
      { about: 'port', problem: expect.stringContaining('the server of another store') },
    ]);
  });

  it('reports a store that cannot be opened along with the other findings', async () => {
    const path = join(cli.home, 'store');
    await mkdir(join(path, 'entries.lance', 'data'), { recursive: true });
    await writeFile(join(path, 'entries.lance', 'data', 'what'), 'no table');
    const { findings, surroundings, store } = await checkupOf({ SERVICE_STORAGE_PATH: path });
    expect(findings).toMatchObject([{ about: 'store', problem: expect.any(String), fix: expect.any(String) }]);
    expect(store).toBeUndefined();
    expect(surroundings?.port.state).toBe('free');
  });

  it('reports an interrupted rename of a namespace until it is completed', async () => {
    await cli.run(['save', 'one', '--namespace', 'old']);
    const { settings } = (await cli.run(['doctor', '--json'], { env })).json<Checkup>();
    // What a process that dies halfway leaves behind.
    await writeFile(join(settings!.store, 'rename.json'), JSON.stringify({ from: 'old', to: 'new' }));
    await cli.run(['save', 'two', '--namespace', 'new']);
    expect((await checkupOf()).findings).toEqual([
      {
        about: 'store',
        problem: 'The rename of the namespace old to new is not complete.',
        fix: '`lore namespace rename "old" "new"` continues it.',
      },
    ]);
    expect((await cli.run(['namespace', 'rename', 'old', 'new', '--yes'])).stdout).toBe('1 entry moved to new.\n');
    expect((await cli.run(['doctor'], { env })).code).toBe(0);
  });

  it('reports a model whose files nothing downloads', async () => {
    const more = { SERVICE_EMBEDDINGS_PROVIDER: 'local', SERVICE_EMBEDDINGS_ALLOW_DOWNLOAD: 'false' };
    const { findings } = await checkupOf(more);
    expect(findings).toContainEqual({
      about: 'embedder',
      problem: 'The files of the model Xenova/all-MiniLM-L6-v2 are missing, and downloads are turned off.',
      fix: expect.stringContaining('models/Xenova/all-MiniLM-L6-v2'),
    });
  });

  it('reports entries without a backup until there is one', async () => {
    const line = JSON.stringify({ content: 'From last year', metadata: { timestamp: '2025-01-01T00:00:00Z' } });
    await cli.run(['import', '-', '--format', 'jsonl'], { input: line });
    expect((await checkupOf()).findings).toMatchObject([{ about: 'backups', fix: expect.stringContaining('lore backup now') }]);
    await cli.run(['backup', 'now']);
    const { code, stdout } = await cli.run(['doctor'], { env });
    expect(stdout).toMatch(/^Last backup +\d{4}-/m);
    expect(code).toBe(0);
  });

  it('reports a server that does not answer at the given address', async () => {
    const { findings, surroundings } = await checkupOf({}, ['--url', 'http://127.0.0.1:9']);
    expect(findings).toMatchObject([{ about: 'store', problem: expect.stringContaining('cannot be reached') }]);
    expect(surroundings).toBeUndefined();
  });

  it.each([
    ['--probes without --recall', ['--probes', '5'], 1, '--recall'],
    ['no probes', ['--recall', '--probes', '0'], 5, '--probes must be at least 1.'],
    ['too many probes', ['--recall', '--probes', '1001'], 5, '--probes must be at most 1000.'],
  ])('refuses %s', async (_case, args, code, reason) => {
    expect(await cli.run(['doctor', ...args])).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(reason) });
  });
});
