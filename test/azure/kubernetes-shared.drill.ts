import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { makeContainer } from '../helpers/azurite.ts';
import { openCli, type Served } from '../helpers/cli.ts';

const EXAMPLES = new URL('../../docs/examples/container/', import.meta.url);
const KEY = 'k'.repeat(32);

interface Deployment {
  readonly kind: string;
  readonly spec: { readonly template: { readonly spec: { readonly containers: [{ readonly env: { name: string; value: string }[] }] } } };
}

/** The settings of a pod: those of the image, then those of the manifest. */
function podSettings(): Record<string, string> {
  const [, image = ''] = /^ENV ((?:.*\\\n)*.*)/m.exec(readFileSync(new URL('Dockerfile', EXAMPLES), 'utf8')) ?? [];
  const manifests = parseAllDocuments(readFileSync(new URL('kubernetes-shared.yaml', EXAMPLES), 'utf8'));
  const deployment = manifests.map((each) => each.toJS() as Deployment).find(({ kind }) => kind === 'Deployment')!;
  const [{ env }] = deployment.spec.template.spec.containers;
  const settings = [...image.matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name!, value!]);
  return Object.fromEntries([...settings, ...env.map(({ name, value }) => [name, value])]) as Record<string, string>;
}

it('servers with the settings of the Kubernetes example share a store, one makes backups at the configured location, and a backup restores to a new store', async () => {
  const { SERVICE_STORAGE_PATH: path = '', SERVICE_STORAGE_BACKUP_PATH: backups = '', ...settings } = podSettings();
  const container = await makeContainer();
  const inContainer = (place: string): string => place.replace(/^az:\//, `az://${container.name}`);
  await using cli = await openCli();
  const envOf = (nth: number): Record<string, string> => {
    const data = `${cli.home}/pod-${nth}`;
    return {
      ...settings,
      SERVICE_STORAGE_PATH: inContainer(path),
      SERVICE_STORAGE_BACKUP_PATH: inContainer(backups),
      SERVICE_STORAGE_OPTIONS: JSON.stringify(container.options),
      SERVICE_API_KEY: KEY,
      XDG_DATA_HOME: data,
      XDG_CONFIG_HOME: `${data}/config`,
    };
  };
  const pod = (nth: number): Promise<Served> => cli.serve([], { env: envOf(nth) });
  const ask = (served: Served, method: string, route: string, body?: object): Promise<Response> => {
    const headers = { 'x-api-key': KEY, 'content-type': 'application/json' };
    const url = `http://127.0.0.1:${new URL(served.url).port}${route}`;
    return fetch(url, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
  };
  const pods = [await pod(1), await pod(2)];
  for (const served of pods) {
    await expect.poll(async () => (await ask(served, 'GET', '/readyz')).status).toBe(200);
    expect((await ask(served, 'POST', '/api/save', { content: `saved by process ${served.pid}` })).status).toBe(200);
  }
  const overdue = async (served: Served): Promise<boolean> =>
    /^lore_backup_overdue_seconds \d/m.test(await (await ask(served, 'GET', '/metrics')).text());
  await expect.poll(async () => (await Promise.all(pods.map(overdue))).filter(Boolean).length).toBe(1);
  for (const served of pods) {
    const made = await ask(served, 'POST', '/api/backups', {});
    expect([made.status, await made.json()]).toEqual([200, expect.objectContaining({ backup: expect.objectContaining({ entries: 2 }) })]);
  }
  // As `kubectl exec` runs it beside the server of a pod.
  const listed = await cli.run(['backup', 'list', '--json'], { env: envOf(1) });
  const [{ name }] = listed.json<{ backups: [{ name: string }] }>().backups;
  const restored = await cli.run(['backup', 'restore', name, '--to', inContainer('az://memories/team-2')], { env: envOf(1) });
  expect([restored.code, restored.stdout]).toEqual([0, expect.stringMatching(/Entries +2 entries/)]);
  for (const served of pods) expect((await served.stop()).code).toBe(0);
});
