import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { formatCheckup, type Checkup } from '../../src/cli/checkup.ts';
import type { Diagnosis } from '../../src/memory/operations.ts';
import { openCli, type Cli } from '../helpers/cli.ts';

describe.each([
  { where: 'without a server', serve: false },
  { where: 'beside a running server', serve: true },
])('the doctor $where', ({ serve }) => {
  let cli: Cli;
  beforeEach(async () => {
    cli = await openCli();
    if (serve) await cli.serve();
    await cli.run(['save', 'The spare key is with Ana']);
  });
  afterEach(() => cli[Symbol.asyncDispose]());

  it('looks at what is cheap to know', async () => {
    const { code, stdout } = await cli.run(['doctor']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Entries +1\nNot indexed +\d+ rows?, searched one by one\nFragments +\d+\nMaintenance +\S/);
    expect(stdout).toMatch(/\n\nAll is well\.\n$/);
    const checkup = (await cli.run(['doctor', '--json'])).json<Checkup>();
    expect(checkup).toMatchObject({ healthy: true, findings: [], entries: 1 });
    expect(checkup).not.toHaveProperty('diagnosis');
  });

  it('measures the recall of the indexes with --recall', async () => {
    const { code, stdout } = await cli.run(['doctor', '--recall', '--probes', '5']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Rows +1\nFresh rows +\d+, in the journal and in memory\nNot indexed +\d+ by word, \d+ by vector\n/);
    expect(stdout).toMatch(/^Vector index +none: every search is exact$/m);
    expect(stdout).toMatch(/^Recall@10 +(1\.000 over all rows|nothing to measure)/m);
    expect(stdout).toMatch(/^Disagreements +none$/m);
    const { diagnosis } = (await cli.run(['doctor', '--recall', '--json'])).json<Checkup>();
    expect(diagnosis).toMatchObject({
      rows: 1,
      vectorIndex: { kind: 'none' },
      recall: { all: 1, oneNamespace: 1, worst: 1 },
      findings: [],
    });
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
    findings: [],
  };
  const checkup = { healthy: true, findings: [], entries: 5, maintenance: 'idle', storage };

  it('shows every figure of a diagnosis', () => {
    expect(formatCheckup({ ...checkup, diagnosis }).split('\n')).toEqual([
      'Rows           100,000',
      'Fresh rows     1,200, in the journal and in memory',
      'Not indexed    0 by word, 2,048 by vector',
      'Vector index   ivf_rq, built 1 h 1 min ago',
      'Recall@10      0.991 over all rows, 0.998 within one namespace, 0.700 the worst of 100 probes',
      'Drift          3.3 % of the rows since the vector index was built',
      'Disagreements  none',
      'Fragments      3',
      'Maintenance    idle',
      '',
      'All is well.',
    ]);
  });

  it('lists its findings last', () => {
    const text = formatCheckup({ ...checkup, healthy: false, findings: ['One thing.', 'Another.'] });
    expect(text).toMatch(/^Not indexed +1,200 rows, searched one by one$/m);
    expect(text).toMatch(/\n\n2 findings\n! One thing\.\n! Another\.$/);
  });
});

describe('the doctor', () => {
  let cli: Cli;
  beforeEach(async () => {
    cli = await openCli();
  });
  afterEach(() => cli[Symbol.asyncDispose]());

  it('ends with 1 and lists the findings where not all is well', async () => {
    // No model host answers, so the builtin embedder stands in, and that is said.
    const env = {
      SERVICE_EMBEDDINGS_PROVIDER: 'openai',
      SERVICE_EMBEDDINGS_BASE_URL: 'http://127.0.0.1:9/v1',
      SERVICE_EMBEDDINGS_API_KEY: 'x',
    };
    await cli.run(['save', 'waits for its vector'], { env });
    const { code, stdout } = await cli.run(['doctor'], { env });
    expect(stdout).toMatch(/\n\n1 finding\n! \S/);
    expect(code).toBe(1);
    const json = await cli.run(['doctor', '--json'], { env });
    expect(json.code).toBe(1);
    expect(json.json<Checkup>()).toMatchObject({ healthy: false, findings: [expect.any(String)] });
  });

  it.each([
    ['--probes without --recall', ['--probes', '5'], 1, '--recall'],
    ['no probes', ['--recall', '--probes', '0'], 5, '--probes must be at least 1.'],
    ['too many probes', ['--recall', '--probes', '1001'], 5, '--probes must be at most 1000.'],
  ])('refuses %s', async (_case, args, code, reason) => {
    expect(await cli.run(['doctor', ...args])).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(reason) });
  });
});
