import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import { askContainer, optionsAt } from '../azure/emulator.mjs';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the emulator of Azure's object storage listens; only for tests of the project `azure`. */
    readonly azuritePort: number;
  }
}

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
  const port = inject('azuritePort');
  const name = `lore-${randomUUID()}`;
  await askContainer(port, { method: 'PUT', name, query: { restype: 'container' } });
  return { name, uri: `az://${name}/lore`, options: optionsAt(port) };
}

/** Names of all objects of a container. */
export async function objectsOf({ name }: Container): Promise<string[]> {
  const listed = await askContainer(inject('azuritePort'), { method: 'GET', name, query: { comp: 'list', restype: 'container' } });
  return [...listed.matchAll(/<Name>([^<]+)<\/Name>/g)].map(([, object]) => object!);
}
