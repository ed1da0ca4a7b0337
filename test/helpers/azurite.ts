import { createHmac, randomUUID } from 'node:crypto';
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the emulator of Azure's object storage listens; only for tests of the project `azure`. */
    readonly azuritePort: number;
  }
}

/** The account that every emulator has; its key is public. */
const ACCOUNT = 'devstoreaccount1';
const KEY = 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==';

/** A container of the emulator. */
export interface Container {
  readonly name: string;
  /** `az://…` */
  readonly uri: string;
  /** What LanceDB needs to reach it. */
  readonly options: Readonly<Record<string, string>>;
}

/** Makes an empty container for a test file. What the emulator keeps is removed at the end of the run. */
export async function makeContainer(): Promise<Container> {
  const name = `lore-${randomUUID()}`;
  await ask('PUT', name, { restype: 'container' });
  return {
    name,
    uri: `az://${name}/lore`,
    options: {
      azure_storage_account_name: ACCOUNT,
      azure_storage_account_key: KEY,
      // With `azure_storage_use_emulator` instead, the port could only be named in the environment.
      azure_storage_endpoint: endpoint(),
      allow_http: 'true',
    },
  };
}

/** Names of all objects of a container. */
export async function objectsOf({ name }: Container): Promise<string[]> {
  const listed = await ask('GET', name, { comp: 'list', restype: 'container' });
  return [...listed.matchAll(/<Name>([^<]+)<\/Name>/g)].map(([, object]) => object!);
}

const endpoint = (): string => `http://127.0.0.1:${inject('azuritePort')}/${ACCOUNT}`;

async function ask(method: string, container: string, query: Readonly<Record<string, string>>): Promise<string> {
  const headers = signed(method, container, query);
  const response = await fetch(`${endpoint()}/${container}?${new URLSearchParams(query).toString()}`, { method, headers });
  const body = await response.text();
  if (!response.ok) throw new Error(`Azurite refused ${method} of the container: ${response.status} ${body}`);
  return body;
}

/** Headers of a request for a container, as Azure's "Shared Key" wants them signed. The names in the query are in alphabetical order. */
function signed(method: string, container: string, query: Readonly<Record<string, string>>): Record<string, string> {
  const stamp = { 'x-ms-date': new Date().toUTCString(), 'x-ms-version': '2023-11-03' };
  const headers = Object.entries(stamp).map(([header, value]) => `${header}:${value}`);
  // Of the standard headers of which the values come first, these requests have none.
  const text = [
    method,
    ...Array.from({ length: 11 }, () => ''),
    ...headers,
    `/${ACCOUNT}/${ACCOUNT}/${container}`,
    ...Object.entries(query).map(([name, value]) => `${name}:${value}`),
  ].join('\n');
  const signature = createHmac('sha256', Buffer.from(KEY, 'base64')).update(text).digest('base64');
  return { ...stamp, authorization: `SharedKey ${ACCOUNT}:${signature}` };
}
