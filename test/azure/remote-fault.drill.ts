import { beforeAll, describe, expect, it } from 'vitest';
import type { LoreError } from '../../src/memory/errors.ts';
import { connect } from '../../src/store/backends/connection.ts';
import { asStoreError } from '../../src/store/errors/store-error.ts';
import { makeContainer, readOnlyToken, type Container } from '../helpers/azurite.ts';
import { failureOf } from '../helpers/failure.ts';

let container: Container;
beforeAll(async () => {
  container = await makeContainer();
});

/** What making a table there fails with; the tables are listed first where that is not what fails. */
async function making(uri: string, options: Record<string, string>): Promise<LoreError> {
  const made = connect(uri, { options: { ...options, client_max_retries: '0' }, timeoutMs: 10_000 }).then(async (connection) => {
    await connection.tableNames();
    return await connection.createTable('meta', [{ n: 1 }]);
  });
  return (await failureOf(made.catch(asStoreError('make the store')))) as LoreError;
}

describe('the emulator of Azure', () => {
  it('accepts a connection with the right key', async () => {
    const connection = await connect(container.uri, { options: container.options, timeoutMs: 10_000 });
    await connection.createTable('right', [{ n: 1 }]);
    expect(await connection.tableNames()).toEqual(['right']);
    const again = await connect(container.uri, { options: container.options, timeoutMs: 10_000 });
    expect(await (await again.openTable('right')).countRows()).toBe(1);
  });

  it('reports a wrong key', async () => {
    const key = Buffer.from('not the key of this account').toString('base64');
    expect(await making(container.uri, { ...container.options, azure_storage_account_key: key })).toMatchObject({
      code: 'unavailable',
      message: 'Could not make the store. Object storage does not accept the credentials.',
    });
  });

  it('reports a missing container', async () => {
    expect(await making('az://no-such-container/lore', container.options)).toMatchObject({
      code: 'unavailable',
      message: 'Could not make the store. The bucket or container does not exist.',
    });
  });

  it('reports refused writes of a read-only token, without showing the token', async () => {
    const { azure_storage_account_key: _, ...options } = container.options;
    const token = readOnlyToken(container);
    const error = await making(container.uri, { ...options, azure_storage_sas_token: token });
    expect(error).toMatchObject({
      code: 'unavailable',
      message: 'Could not make the store. The credentials allow reading the store but not writing to it.',
    });
    const signature = new URLSearchParams(token).get('sig') ?? '';
    expect(`${error.stack} ${(error.cause as Error).stack}`).not.toContain(signature.slice(0, 8));
  });
});
