import { expect, it } from 'vitest';
import { startTestServer } from '../helpers/server.ts';
import { seedThousand } from './seed.ts';

it('fills a store with more than a thousand memories', async () => {
  await using server = await startTestServer();
  const stored = await seedThousand(server);
  expect(stored).toBeGreaterThan(1000);
  const { body } = await server.call('GET', '/api/list?form=reference&allNamespaces=true&limit=1');
  expect(body.total).toBe(stored);
});
