import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { CONFIG_KEYS } from '../../src/config/keys.ts';
import { ConfigSchema } from '../../src/config/schema.ts';
import type { EntryPage } from '../../src/memory/operations/operations.ts';
import { openCli, type Cli, type Served } from '../helpers/cli.ts';
import { IN_CONTAINER, isRoot, mayContain, mayMount } from '../helpers/machine.ts';

const FOLDER = fileURLToPath(new URL('../../docs/examples/container/', import.meta.url));
const BIN = fileURLToPath(new URL('../../bin/run.js', import.meta.url));
const example = (name: string): string => readFileSync(join(FOLDER, name), 'utf8');
const { port: PORT, bodyLimitBytes: BODY_LIMIT } = ConfigSchema.parse({ storage: { path: '/x' } }).server;
const PROBES = Object.keys((JSON.parse(readFileSync(join(FOLDER, '../../openapi.json'), 'utf8')) as { paths: object }).paths);
/** What a container may be told of Lore, and of nothing else. */
const VARIABLES = new Set([
  ...CONFIG_KEYS.map((key) => key.environment),
  'SERVICE_PORT',
  'SERVICE_API_KEY',
  'SERVICE_CONFIG',
  'NODE_ENV',
  'XDG_DATA_HOME',
  'XDG_CONFIG_HOME',
]);

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
}

interface Container {
  readonly env: { readonly name: string; readonly value: string }[];
  readonly envFrom: { readonly secretRef: { readonly name: string } }[];
  readonly ports: { readonly name: string; readonly containerPort: number }[];
  readonly volumeMounts: { readonly name: string; readonly mountPath: string }[];
  readonly securityContext: object;
  readonly resources: { readonly requests: object; readonly limits: object };
  readonly startupProbe: Probe;
  readonly livenessProbe: Probe;
  readonly readinessProbe: Probe;
}

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly replicas?: number;
    readonly selector?: { readonly matchLabels?: Record<string, string> } & Record<string, unknown>;
    readonly ports?: { readonly port: number; readonly targetPort: string }[];
    readonly volumeClaimTemplates?: { readonly metadata: { readonly name: string }; readonly spec: { readonly accessModes: string[] } }[];
    readonly template?: {
      readonly metadata: { readonly labels: Record<string, string> };
      readonly spec: {
        readonly terminationGracePeriodSeconds: number;
        readonly securityContext: object;
        readonly containers: [Container];
        readonly volumes: { readonly name: string }[];
      };
    };
  };
}

function manifests(name: string): Manifest[] {
  const documents = parseAllDocuments(example(name));
  expect(documents.flatMap(({ errors, warnings }) => [...errors, ...warnings])).toEqual([]);
  return documents.map((document) => document.toJS() as Manifest);
}

interface Ingress {
  readonly metadata: { readonly annotations: Record<string, string> };
  readonly spec: {
    readonly tls: [{ readonly hosts: string[]; readonly secretName: string }];
    readonly rules: [{ readonly host: string; readonly http: { readonly paths: [{ readonly path: string; readonly backend: object }] } }];
  };
}

describe.each([
  ['kubernetes.yaml', 'StatefulSet'],
  ['kubernetes-shared.yaml', 'Deployment'],
])('docs/examples/container/%s', (name, kind) => {
  const all = manifests(name);
  const { spec } = all.find((manifest) => manifest.kind === kind)!;
  const pod = spec.template!.spec;
  const [container] = pod.containers;

  it('probes existing routes at the port of Lore', () => {
    expect(container.ports).toEqual([{ name: 'http', containerPort: PORT }]);
    const probes = [container.startupProbe, container.livenessProbe, container.readinessProbe].map(({ httpGet }) => httpGet);
    expect(probes.map(({ path }) => path)).toEqual(['/healthz', '/healthz', '/readyz']);
    for (const { path, port } of probes) expect([PROBES.includes(path), port]).toEqual([true, 'http']);
    const service = all.find((manifest) => manifest.kind === 'Service')!.spec;
    expect(service.ports).toEqual([{ name: 'http', port: PORT, targetPort: 'http' }]);
  });

  it('sets only existing settings, and takes the key from a secret', () => {
    for (const { name: variable } of container.env) expect(VARIABLES, variable).toContain(variable);
    expect(container.envFrom).toContainEqual({ secretRef: { name: 'lore-key' } });
    expect(JSON.stringify(container.env)).not.toMatch(/API_?KEY/);
  });

  it('runs without privileges, writes only to its volume, has limits, and allows enough time to stop', () => {
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000, fsGroup: 1000 });
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    const volumes = [...pod.volumes, ...(spec.volumeClaimTemplates ?? []).map(({ metadata }) => metadata)].map((volume) => volume.name);
    expect(container.volumeMounts.map((mount) => mount.name).toSorted()).toEqual(volumes.toSorted());
    expect(container.volumeMounts.map((mount) => mount.mountPath).toSorted()).toEqual(['/data', '/tmp']);
    expect(container.resources).toMatchObject({ requests: { memory: expect.any(String) }, limits: { memory: expect.any(String) } });
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(10);
  });

  it('routes the public host to its service with TLS, and passes large bodies and event streams', () => {
    const { metadata, spec: ingress } = all.find((manifest) => manifest.kind === 'Ingress') as unknown as Ingress;
    const { metadata: service } = all.find((manifest) => manifest.kind === 'Service')!;
    const [{ host, http }] = ingress.rules;
    expect(http.paths).toMatchObject([{ path: '/', backend: { service: { name: service.name, port: { name: 'http' } } } }]);
    expect(ingress.tls[0].hosts).toEqual([host]);
    expect(example(name)).toContain(`create secret tls ${ingress.tls[0].secretName} `);
    const valueOf = (variable: string): string | undefined => container.env.find((each) => each.name === variable)?.value;
    expect(valueOf('SERVICE_SERVER_ALLOWED_HOSTS')?.split(',')).toEqual(expect.arrayContaining([host, service.name]));
    expect(valueOf('SERVICE_SERVER_CORS_ORIGINS')).toBe(`https://${host}`);
    const { 'nginx.ingress.kubernetes.io/proxy-body-size': size, 'nginx.ingress.kubernetes.io/proxy-buffering': buffering } =
      metadata.annotations;
    expect(parseInt(size!, 10) * 1024 * 1024).toBeGreaterThan(BODY_LIMIT);
    expect(buffering).toBe('off');
  });

  it('selects its own pods everywhere', () => {
    const { labels } = spec.template!.metadata;
    expect(spec.selector!.matchLabels).toEqual(labels);
    expect(all.find((manifest) => manifest.kind === 'Service')!.spec.selector).toEqual(labels);
    expect(all.find((manifest) => manifest.kind === 'PodDisruptionBudget')!.spec.selector!.matchLabels).toEqual(labels);
  });
});

interface CronJob {
  readonly spec: {
    readonly jobTemplate: { readonly spec: { readonly template: { readonly spec: { readonly containers: [Exporting] } } } };
  };
}
interface Exporting {
  readonly command: [string, ...string[]];
  readonly args: [string];
  readonly env: { readonly name: string; readonly value: string }[];
}

describe('the nightly export of kubernetes.yaml', { timeout: 120_000 }, () => {
  it('exports the whole store of the server, and removes exports older than 14 days', async () => {
    const job = manifests('kubernetes.yaml').find(({ kind }) => kind === 'CronJob') as unknown as CronJob;
    const [{ command, args, env }] = job.spec.jobTemplate.spec.template.spec.containers;
    expect(env.find(({ name }) => name === 'LORE_URL')?.value).toBe(`http://lore:${PORT}`);
    const served = await cli.serve([], { env: imageSettings() });
    await save(served, 'goes out every night');
    const exports = join(cli.home, 'exports');
    mkdirSync(exports);
    const [old, young] = ['lore-2025-01-01.jsonl.gz', 'lore-2025-01-20.jsonl.gz'].map((name) => join(exports, name)) as [string, string];
    for (const [file, days] of [
      [old, 15.5],
      [young, 13],
    ] as const) {
      writeFileSync(file, '');
      const at = Date.now() / 1000 - days * 86_400;
      utimesSync(file, at, at);
    }
    const script = args[0].replace('/app/bin/run.js', BIN);
    const url = `http://127.0.0.1:${new URL(served.url).port}`;
    const done = spawnSync(command[0], [...command.slice(1), script], {
      env: { ...process.env, ...imageSettings(), EXPORTS: exports, LORE_URL: url },
      encoding: 'utf8',
    });
    expect([done.status, done.stderr]).toEqual([0, expect.any(String)]);
    const files = readdirSync(exports);
    expect(files).toHaveLength(2);
    expect(files).toContain('lore-2025-01-20.jsonl.gz');
    const newest = files.find((name) => !name.includes('2025-01'))!;
    expect(String(gunzipSync(readFileSync(join(exports, newest))))).toContain('goes out every night');
    await served.stop();
  });
});

describe('the number of servers in the examples', () => {
  it('is one on a single-pod volume, and several on object storage only', () => {
    const { spec } = manifests('kubernetes.yaml')[0]!;
    expect([spec.replicas, spec.volumeClaimTemplates![0]!.spec.accessModes]).toEqual([1, ['ReadWriteOncePod']]);
    const shared = manifests('kubernetes-shared.yaml')[0]!.spec;
    expect(shared.replicas).toBeGreaterThan(1);
    expect(shared.template!.spec.containers[0].env).toContainEqual({
      name: 'SERVICE_STORAGE_PATH',
      value: expect.stringMatching(/^(?:az|s3|gs):\/\//),
    });
  });
});

interface Composed {
  readonly services: { readonly lore: Record<string, unknown>; readonly proxy: { readonly volumes: string[] } };
  readonly networks: { readonly inside: { readonly ipam: { readonly config: [{ readonly subnet: string }] } } };
}

describe('docs/examples/container/compose.yaml', () => {
  const { services, networks } = parse(example('compose.yaml')) as Composed;

  it('hides Lore behind the proxy, without privileges and with a read-only root, and trusts only that network', () => {
    expect(services.lore).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      env_file: 'lore.env',
    });
    expect(services.lore).not.toHaveProperty('ports');
    const environment = services.lore['environment'] as Record<string, string>;
    for (const variable of Object.keys(environment)) expect(VARIABLES, variable).toContain(variable);
    expect(environment['SERVICE_SERVER_TRUSTED_PROXIES']).toBe(networks.inside.ipam.config[0].subnet);
    expect(parseInt(services.lore['stop_grace_period'] as string, 10)).toBeGreaterThan(10);
  });

  it('builds from the Dockerfile next to it, and both proxies forward to the port of Lore', () => {
    const { build } = services.lore as { build: { context: string; dockerfile: string } };
    expect(join(FOLDER, build.context, build.dockerfile)).toBe(join(FOLDER, 'Dockerfile'));
    for (const proxy of ['Caddyfile', 'nginx.conf']) {
      expect(
        [...example(proxy).matchAll(/\blore:(\d+)/g)].map(([, port]) => Number(port)),
        proxy,
      ).toContain(PORT);
    }
    const files = [services, (parse(example('compose.nginx.yaml'), { logLevel: 'silent' }) as Composed).services];
    const mounted = files.flatMap(({ proxy }) => proxy.volumes.flatMap((volume) => /^\.\/([\w.]+\.?\w*):/.exec(volume)?.[1] ?? []));
    expect(mounted).toEqual(['Caddyfile', 'nginx.conf', 'certificate']);
    expect(readdirSync(FOLDER)).toEqual(expect.arrayContaining(['Caddyfile', 'nginx.conf']));
  });
});

/** Instructions of the Dockerfile with their continued lines, in order. */
const instructions = example('Dockerfile')
  .replaceAll(/^#.*\n/gm, '')
  .replaceAll(/\\\n\s*/g, ' ')
  .split('\n')
  .filter((line) => line.trim() !== '');
const last = (instruction: string): string =>
  instructions.findLast((line) => line.startsWith(`${instruction} `))!.slice(instruction.length + 1);

describe('docs/examples/container/Dockerfile', () => {
  it('produces a server without root, with valid settings and without development dependencies', () => {
    expect(last('USER')).toBe('1000:1000');
    expect(Number(last('EXPOSE'))).toBe(PORT);
    for (const [, variable] of last('ENV').matchAll(/(\w+)=/g)) expect(VARIABLES, variable).toContain(variable);
    expect(instructions.filter((line) => line.includes('npm ci')).at(-1)).toContain('--omit=dev');
    expect(instructions.filter((line) => line.startsWith('FROM '))).toHaveLength(2);
  });
});

let cli: Cli;
beforeEach(async () => {
  cli = await openCli();
});
afterEach(() => cli[Symbol.asyncDispose]());

const NO_ACCOUNT = 54_321;

/** What the image says, with folders of the test in the place of its own. */
function imageSettings(): Record<string, string> {
  const said = Object.fromEntries([...last('ENV').matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name!, value!]));
  const data = join(cli.home, 'data');
  const own = { XDG_DATA_HOME: data, XDG_CONFIG_HOME: join(data, 'config'), SERVICE_SERVER_PORT: '0', SERVICE_API_KEY: 'k'.repeat(32) };
  return { ...said, ...own };
}

const save = (served: Pick<Served, 'url'>, content: string): Promise<Response> => {
  const headers = { 'content-type': 'application/json', 'x-api-key': 'k'.repeat(32) };
  return fetch(`http://127.0.0.1:${new URL(served.url).port}/api/save`, { method: 'POST', headers, body: JSON.stringify({ content }) });
};
const listed = async (served: Served): Promise<string[]> => {
  const url = `http://127.0.0.1:${new URL(served.url).port}/api/list?form=reference`;
  const page = (await (await fetch(url, { headers: { 'x-api-key': 'k'.repeat(32) } })).json()) as EntryPage;
  return page.entries.map(({ content }) => content);
};

describe('the server as started in the image', { timeout: 120_000 }, () => {
  it('is configured by its environment only, and writes only JSON lines to standard error', async () => {
    const env = { ...imageSettings(), SERVICE_LOG_LEVEL: 'debug', SERVICE_SERVER_PORTT: '1' };
    const child = cli.spawn(['serve', '--json'], { env });
    const said = text(child.stderr);
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const served = JSON.parse(String(line)) as Pick<Served, 'url'>;
    expect((await save(served, 'by environment')).status).toBe(200);
    expect((await fetch(`http://127.0.0.1:${new URL(served.url).port}/api/list`)).status).toBe(401);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
    const lines = (await said).split('\n').filter((line) => line !== '');
    expect(lines.length).toBeGreaterThan(1);
    for (const each of lines) expect(JSON.parse(each) as object, each).toHaveProperty('msg');
  });

  it('passes the health check of the image while it runs, and fails it afterwards', async () => {
    const served = await cli.serve([], { env: imageSettings() });
    const [command, ...args] = JSON.parse(last('HEALTHCHECK').replace(/^.*?CMD /, '')) as [string, ...string[]];
    expect(command).toBe('bash');
    const env = { ...process.env, SERVICE_PORT: '', SERVICE_SERVER_PORT: new URL(served.url).port };
    expect(spawnSync(command, args, { env }).status).toBe(0);
    await served.stop();
    expect(spawnSync(command, args, { env }).status).toBe(1);
  });

  it.skipIf(!isRoot)('runs as a user without an account, which a cluster may choose (skipped unless root)', async () => {
    const env = imageSettings();
    const data = env['XDG_DATA_HOME']!;
    mkdirSync(data, { mode: 0o700 });
    chownSync(data, NO_ACCOUNT, NO_ACCOUNT);
    for (const folder of [cli.home, cli.cwd, join(cli.home, '..')]) chmodSync(folder, 0o755);
    const served = await cli.serve([], { env, under: ['setpriv', `--reuid=${NO_ACCOUNT}`, `--regid=${NO_ACCOUNT}`, '--clear-groups'] });
    expect((await save(served, 'of nobody known')).status).toBe(200);
    expect(await listed(served)).toEqual(['of nobody known']);
    await served.stop();
  });

  const noMounts = mayMount && mayContain ? '' : ' (skipped: this machine forbids mounts or pids of their own)';
  it.skipIf(noMounts !== '')(`needs no privileges and writes only to its volume; it restarts after a kill${noMounts}`, async () => {
    const env = imageSettings();
    const data = env['XDG_DATA_HOME']!;
    mkdirSync(data, { mode: 0o700 });
    chownSync(data, 1000, 1000);
    for (const folder of [cli.home, cli.cwd, join(cli.home, '..')]) chmodSync(folder, 0o755);
    // Its volume, a small /tmp elsewhere, and the rest as it may be read; then nobody's rights.
    const image = `mount --make-rprivate / && mount --bind "$DATA" "$DATA" && mount -t tmpfs -o mode=1777 tmpfs /mnt && mount -o remount,bind,ro / &&
      exec setpriv --pdeathsig=KILL --reuid=1000 --regid=1000 --clear-groups --bounding-set=-all --no-new-privs "$@"`;
    const under = [IN_CONTAINER[0], '--mount', ...IN_CONTAINER.slice(1), 'sh', '-c', image, 'sh'] as [string, ...string[]];
    const start = () => cli.serve([], { env: { ...env, DATA: data, TMPDIR: '/mnt' }, under });
    const first = await start();
    expect(first.announced).toMatchObject({ pid: 1 });
    expect((await save(first, 'acknowledged in a container')).status).toBe(200);
    const ready = await fetch(`http://127.0.0.1:${new URL(first.url).port}/readyz`);
    expect(ready.status).toBe(200);
    expect(statSync(join(data, 'lore/store')).uid).toBe(1000);
    // The first process of the container is gone a moment after the one that made it, and with it its output.
    const gone = once(first.child, 'close');
    await first.stop('SIGKILL');
    await gone;
    const second = await start();
    expect(await listed(second)).toEqual(['acknowledged in a container']);
    await second.stop('SIGKILL');
  });
});
