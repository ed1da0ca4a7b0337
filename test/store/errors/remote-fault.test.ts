import { describe, expect, it } from 'vitest';
import { LoreError } from '../../../src/memory/errors.ts';
import { connect } from '../../../src/store/backends/connection.ts';
import { remoteFault } from '../../../src/store/errors/remote-fault.ts';
import { createDeadline } from '../../../src/store/wal/shared/deadline.ts';
import { asStoreError } from '../../../src/store/errors/store-error.ts';
import { failureOf } from '../../helpers/failure.ts';
import { objectEndpoint, type EndpointAnswer } from '../../helpers/object-endpoint.ts';

const KEY = Buffer.from('a key that nobody may ever see').toString('base64');
const FAST = { client_max_retries: '0', timeout: '2s', connect_timeout: '1s' };
const AZURE = { ...FAST, account_name: 'team', account_key: KEY, allow_http: 'true' };

/** What listing the tables of a store there fails with. */
async function listing(uri: string, options: Record<string, string>): Promise<LoreError> {
  const listed = connect(uri, { options, timeoutMs: 5_000 }).then((connection) => connection.tableNames());
  return (await failureOf(listed.catch(asStoreError('open the store')))) as LoreError;
}

async function azureSays(answer: EndpointAnswer, options: Record<string, string> = {}): Promise<LoreError> {
  await using endpoint = await objectEndpoint(answer);
  return await listing('az://container/prefix', { ...AZURE, endpoint: `${endpoint.url}/team`, ...options });
}

/** All that could be printed or logged of an error. */
function everythingOf(error: unknown): string {
  return error instanceof Error ? `${error.message} ${error.stack} ${everythingOf(error.cause)}` : String(error);
}

describe('the message of an object storage failure', () => {
  it.each([
    ['AuthenticationFailed', 403, 'Object storage does not accept the credentials.'],
    ['InvalidAuthenticationInfo', 401, 'Object storage does not accept the credentials.'],
    ['AuthorizationFailure', 403, 'Object storage denies access to these credentials.'],
    ['ContainerNotFound', 404, 'The bucket or container does not exist.'],
    ['ServerBusy', 503, 'Object storage is overloaded or has an internal error.'],
    ['InternalError', 500, 'Object storage is overloaded or has an internal error.'],
  ])('for %s (%i)', async (code, status, message) => {
    const error = await azureSays({ status, code });
    expect(error).toMatchObject({ code: 'unavailable', message: `Could not open the store. ${message}` });
    expect(error.hint).toMatch(/\w{3}/);
    expect(error.retryAfterSeconds).toBe(10);
  });

  it('covers a missing S3 bucket, and one of another region', async () => {
    const options = { ...FAST, aws_access_key_id: 'AKIATEAM', aws_secret_access_key: KEY, region: 'eu-west-1', allow_http: 'true' };
    const says = async (answer: EndpointAnswer): Promise<string> => {
      await using endpoint = await objectEndpoint(answer);
      return (await listing('s3://bucket/prefix', { ...options, endpoint: endpoint.url })).message;
    };
    expect(await says({ status: 404, code: 'NoSuchBucket' })).toContain('does not exist');
    expect(await says({ status: 403, code: 'SignatureDoesNotMatch' })).toContain('does not accept the credentials');
    expect(await says({ status: 301, code: 'PermanentRedirect' })).toContain('in another region');
  });

  it('covers an endpoint without a listener', async () => {
    const { url } = await closedEndpoint();
    const error = await listing('az://container/prefix', { ...AZURE, endpoint: `${url}/team` });
    expect(error).toMatchObject({ code: 'unavailable', message: 'Could not open the store. Object storage cannot be reached.' });
    expect(error.hint).toContain('endpoint');
  });

  it('covers read-only credentials at the first write', async () => {
    await using endpoint = await objectEndpoint('read-only');
    const options = { ...AZURE, endpoint: `${endpoint.url}/team` };
    const connection = await connect('az://container/prefix', { options, timeoutMs: 5_000 });
    expect(await connection.tableNames()).toEqual([]);
    const made = connection.createTable('meta', [{ n: 1 }]).catch(asStoreError('create the store'));
    expect(await failureOf(made)).toMatchObject({
      code: 'unavailable',
      message: 'Could not create the store. The credentials allow reading the store but not writing to it.',
    });
  });

  it.each([
    ['no account', {}, 'No storage account is set for the container.'],
    ['a key that is none', { account_name: 'team', account_key: '!!!' }, 'invalid format'],
    ['http that was not allowed', { ...AZURE, allow_http: 'false', endpoint: 'http://127.0.0.1:1/team' }, 'not an allowed address'],
    ['a duration that is none', { ...AZURE, timeout: 'soon' }, 'A value in storage.options is not valid'],
  ])('before any request, for %s', async (_, options, message) => {
    const error = await listing('az://container/prefix', options);
    expect(error.code).toBe('config');
    expect(error.message).toContain(message);
  });
});

describe('messages about object storage', () => {
  it('contain no key, signature or response body', async () => {
    const body = `<Error><Code>AuthenticationFailed</Code><StringToSign>sig=${KEY}</StringToSign></Error>`;
    const secrets = ['a%20signature', KEY, 'StringToSign'];
    const errors = await Promise.all([
      azureSays({ status: 403, body }),
      azureSays({ status: 403, body }, { account_key: '', sas_token: 'sv=2024-01-01&sig=a%20signature' }),
    ]);
    for (const error of errors) {
      expect(error.code).toBe('unavailable');
      for (const secret of secrets) expect(everythingOf(error)).not.toContain(secret);
    }
    expect(everythingOf(errors[0]?.cause)).toContain('403 Forbidden: AuthenticationFailed');
  });

  it('passes other failures on', () => {
    for (const text of [
      'lance error: LanceError(IO): Generic LocalFileSystem error: Permission denied (os error 13)',
      "Table 'meta' was not found",
      'Commit conflict for version 7',
    ]) {
      expect(remoteFault('open the store', new Error(text))).toBeUndefined();
    }
  });
});

describe('a timeout', () => {
  it('ends the wait for an unresponsive endpoint', async () => {
    await using endpoint = await objectEndpoint('slow');
    const options = { ...AZURE, endpoint: `${endpoint.url}/team` };
    const connection = await connect('az://container/prefix', { options, timeoutMs: 300 });
    const error = await failureOf(createDeadline(300)('open the store', connection.tableNames()));
    expect(error).toBeInstanceOf(LoreError);
    expect(error).toMatchObject({
      code: 'unavailable',
      message: 'Could not open the store. The store did not answer within 0.3 s.',
      hint: expect.stringContaining('storage.timeoutMs') as string,
    });
  });
});

async function closedEndpoint(): Promise<{ url: string }> {
  await using endpoint = await objectEndpoint('slow');
  return { url: endpoint.url };
}
