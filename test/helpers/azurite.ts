import { createHmac, randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import { askContainer, optionsAt } from '../azure/emulator.mjs';

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the Azure storage emulator; only for tests of the project `azure`. */
    readonly azuritePorts: readonly number[];
  }
}

/** A container of the emulator. */
export interface Container {
  readonly name: string;
  /** `az://…` */
  readonly uri: string;
  /** LanceDB options to reach it. */
  readonly options: Readonly<Record<string, string>>;
}

/** Emulators of this process: parallel tests share them. */
function emulatorPort(): number {
  const ports = inject('azuritePorts');
  return ports[Number(process.env['VITEST_POOL_ID']) % ports.length]!;
}

/** Creates an empty container for a test file. The emulator's data is removed after the run. */
export async function makeContainer(): Promise<Container> {
  const port = emulatorPort();
  const name = `lore-${randomUUID()}`;
  await askContainer(port, { method: 'PUT', name, query: { restype: 'container' } });
  return { name, uri: `az://${name}/lore`, options: optionsAt(port) };
}

/** A token to read and list a container, valid for an hour. */
export function readOnlyToken({ name, options }: Container): string {
  const { azure_storage_account_name: account = '', azure_storage_account_key: key = '' } = options;
  const expiry = `${new Date(Date.now() + 3_600_000).toISOString().slice(0, 19)}Z`;
  const version = '2020-10-02';
  // Permissions, start, expiry, resource, identifier, addresses, protocols, version, kind, snapshot, then five response headers.
  const text = ['rl', '', expiry, `/blob/${account}/${name}`, '', '', '', version, 'c', '', '', '', '', '', ''].join('\n');
  const signature = createHmac('sha256', Buffer.from(key, 'base64')).update(text).digest('base64');
  return new URLSearchParams({ sv: version, se: expiry, sr: 'c', sp: 'rl', sig: signature }).toString();
}

/** Names of all objects in a container. */
export async function objectsOf({ name }: Container): Promise<string[]> {
  const listed = await askContainer(emulatorPort(), { method: 'GET', name, query: { comp: 'list', restype: 'container' } });
  return [...listed.matchAll(/<Name>([^<]+)<\/Name>/g)].map(([, object]) => object!);
}

/** Removes one object of a container. */
export async function removeObject({ name }: Container, object: string): Promise<void> {
  await askContainer(emulatorPort(), { method: 'DELETE', name: `${name}/${object}`, query: {} });
}
