import type { Locator } from 'playwright-core';
import { beforeEach } from 'vitest';
import { stage, type Stage } from './stage.ts';

/** The form that saves, in a store that knows a namespace and two tags, and what tests do with it. */
export interface SaveForm {
  readonly lore: Stage;
  readonly content: () => Locator;
  /** The newest one. */
  readonly receipt: () => Locator;
  readonly save: () => Promise<void>;
  readonly inNamespace: (namespace: string) => Promise<string[]>;
}

/** Opens the form before each test, each on a server of its own. Call it once, at the top of the file. */
export function saveForm(): SaveForm {
  const lore = stage({
    fresh: true,
    fill: (server) =>
      server.save('Something to know tags and namespaces by', { tags: ['decision', 'deploy'], namespace: 'harbor', container: 'crane' }),
  });
  beforeEach(async () => {
    await lore.open({ path: '/?view=save' });
  });
  return {
    lore,
    content: () => lore.page.getByRole('textbox', { name: 'Memory' }),
    receipt: () => lore.page.getByRole('region', { name: 'Receipt' }).first(),
    save: () => lore.page.getByRole('button', { name: 'Save memory' }).click(),
    inNamespace: async (namespace) => {
      const { body } = await lore.server.call('GET', `/api/list?namespace=${namespace}`);
      return body.entries.map((entry: { content: string }) => entry.content);
    },
  };
}
