import type { Page } from 'playwright-core';
import { surroundings } from './administration.ts';
import { PATIENCE } from './lore-page.ts';
import { stage, type Stage } from './stage.ts';

export const TEXT = 'Webhook deliveries are retried eight times';

/** A server with what every view needs to show something. Call it once, at the top of a file. */
export const stageOfViews = (): Stage =>
  stage({
    server: { administration: surroundings() },
    fill: async (server) => {
      const targetId = await server.save(TEXT, { tags: ['webhooks'], namespace: 'dock', priority: 'high' });
      const sourceId = await server.save('Retried webhooks carry an idempotency key', {
        tags: ['webhooks', 'decision'],
        namespace: 'dock',
      });
      await server.app.memories.relations.relate({ sourceId, targetId, type: 'elaborates' });
    },
  });

interface View {
  readonly view: string;
  readonly path: string;
  /** Resolves once it shows what it is for. */
  readonly shown: (page: Page) => Promise<unknown>;
  /** So long that a check of it takes ten seconds: both themes are checked by a drill of its own. */
  readonly isLong?: boolean;
}

export const VIEWS: readonly View[] = [
  { view: 'search', path: '/?q=webhook%20retry', shown: (page) => page.locator('.hit-text mark').first().waitFor() },
  { view: 'explained search', path: '/?q=webhook%20retry&explain=1', shown: (page) => page.locator('.hit-text mark').first().waitFor() },
  { view: 'memories', path: '/', shown: (page) => page.locator('.line-text').nth(1).waitFor() },
  { view: 'timeline', path: '/?as=timeline', shown: (page) => page.locator('.tl-item').first().waitFor() },
  { view: 'graph', path: '/?view=graph', shown: (page) => page.locator('canvas[aria-busy=false]').waitFor(PATIENCE) },
  {
    view: 'graph as a list',
    path: '/?view=graph&as=list',
    shown: (page) => page.locator('.g-list').getByText('Webhook').first().waitFor(),
  },
  { view: 'save form', path: '/?view=save', shown: (page) => page.getByRole('combobox', { name: 'Tags' }).waitFor() },
  { view: 'organize', path: '/?view=organize', shown: (page) => page.getByRole('button', { name: 'Rename dock' }).waitFor() },
  { view: 'statistics', path: '/?view=stats', shown: (page) => page.getByRole('heading', { name: 'Growth', exact: true }).waitFor() },
  { view: 'administration', path: '/?view=admin', shown: (page) => page.locator('#integrations li').first().waitFor() },
  { view: 'documentation', path: '/docs', shown: (page) => page.locator('.route').first().waitFor(), isLong: true },
];
