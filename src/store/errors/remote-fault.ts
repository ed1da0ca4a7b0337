import { LoreError } from '../../memory/errors.ts';

/** Advice on when to retry after a failure of object storage. */
const RETRY_SECONDS = 10;
/** How the engine's messages about object storage, or the connection to it, begin. */
const REMOTE =
  /Generic (?:MicrosoftAzure|S3|GCS|N\/A|Config) error|Unable to find object store prefix|valid authentication credentials|lacked the necessary privileges/;
/** How the engine names an object in a message, as opposed to a file. */
const OBJECT_MISSING = /Object at location .* not found|(?:BlobNotFound|NoSuchKey)/s;
const FAILED_WRITE = /Error performing (?:PUT|POST|DELETE|PATCH)\b/;
const STATUS = /status code: (\d{3})/;
/** Error codes in the formats of Azure, S3, and the other format of S3. */
const NAME = /<Code>(\w+)<\/Code>|"code":\s*"(\w+)"/;

interface FaultText {
  /** `config` if no request was sent, and none will be until the settings change. */
  readonly code: 'config' | 'unavailable';
  readonly message: string;
  readonly hint: string;
}

/** Messages of the engine that identify a fault. */
interface ReportedFault {
  readonly text: string;
  readonly status: number;
  readonly name: string;
}

const DOCS = 'docs/shared-store.md says how each cloud is set up.';

const FAULTS: readonly (FaultText & { readonly is: (said: ReportedFault) => boolean })[] = [
  {
    is: ({ text }) => /no Azure account name|Must specify (?:bucket|container|account)|Account must be/i.test(text),
    code: 'config',
    message: 'No storage account is set for the container.',
    hint: `Set account_name in storage.options, or AZURE_STORAGE_ACCOUNT_NAME. ${DOCS}`,
  },
  {
    is: ({ text }) => /Invalid Access Key|GCP credential error|Unable to (?:open|decode) service account|SAS (?:key|query)/.test(text),
    code: 'config',
    message: 'The credentials of object storage have an invalid format.',
    hint: `Check the keys in storage.options and in the environment. ${DOCS}`,
  },
  {
    is: ({ text }) => text.includes('HTTP error: builder error'),
    code: 'config',
    message: 'The endpoint of object storage is not an allowed address.',
    hint: 'Write it as https://host, or set allow_http to true in storage.options to allow http.',
  },
  {
    is: ({ text }) => /Generic Config error|failed to parse|Unknown configuration key/i.test(text),
    code: 'config',
    message: 'A value in storage.options is not valid for object storage.',
    hint: `Durations are written as 30s, switches as true or false. ${DOCS}`,
  },
  {
    is: ({ text }) => /Error performing token request|Failed to get AWS credentials|\/metadata\/identity\/|computeMetadata/.test(text),
    code: 'unavailable',
    message: 'No credentials for object storage were found, or they could not be exchanged for a token.',
    hint: `Set them in storage.options or in the variables of the cloud, or give this machine an identity. ${DOCS}`,
  },
  {
    is: ({ text, name }) =>
      /^(?:ContainerNotFound|NoSuchBucket|NoSuchContainer)$/.test(name) || /specified (?:bucket|container) does not exist/.test(text),
    code: 'unavailable',
    message: 'The bucket or container does not exist.',
    hint: 'Create it, or correct storage.path or storage.backupPath: Lore never creates a bucket or container.',
  },
  {
    is: ({ text, name }) => OBJECT_MISSING.test(text) || /^(?:BlobNotFound|NoSuchKey|ResourceNotFound)$/.test(name),
    code: 'unavailable',
    message: 'An object of the store is missing.',
    hint: 'Something other than Lore removed it: restore it from an earlier version of the bucket or container, or restore a backup (docs/shared-store.md).',
  },
  {
    is: ({ text, status, name }) =>
      status === 301 || name === 'AuthorizationHeaderMalformed' || text.includes('incorrectly configured region'),
    code: 'unavailable',
    message: 'The bucket is in another region than the configured one.',
    hint: 'Set region in storage.options, or AWS_REGION, to the region of the bucket.',
  },
  {
    is: ({ text, status, name }) => isRefusal(text, status) && (KEY_REFUSED.has(name) || text.includes('failed to authenticate')),
    code: 'unavailable',
    message: 'Object storage does not accept the credentials.',
    hint: `They may be wrong, expired or for another account: check storage.options, the environment and the clock of this machine. ${DOCS}`,
  },
  {
    is: ({ text, status }) => isRefusal(text, status) && FAILED_WRITE.test(text),
    code: 'unavailable',
    message: 'The credentials allow reading the store but not writing to it.',
    hint: 'Give them the right to write and delete objects below storage.path: Lore needs it also for a store that is only searched.',
  },
  {
    is: ({ text, status }) => isRefusal(text, status),
    code: 'unavailable',
    message: 'Object storage denies access to these credentials.',
    hint: `They may be wrong, or lack the right to list, read, write and delete objects below storage.path. ${DOCS}`,
  },
  {
    is: ({ status, name }) => status === 429 || status >= 500 || /^(?:ServerBusy|SlowDown)$/.test(name),
    code: 'unavailable',
    message: 'Object storage is overloaded or has an internal error.',
    hint: 'Retries failed. Try later; if it persists, check the status page of the provider.',
  },
  {
    is: ({ text }) => /operation timed out|deadline has elapsed|request timeout/i.test(text),
    code: 'unavailable',
    message: 'Object storage did not answer in time.',
    hint: 'Try again, or give it more time with storage.timeoutMs.',
  },
  {
    is: ({ text }) => /error sending request|connect error|dns error|Connection refused|connection closed/i.test(text),
    code: 'unavailable',
    message: 'Object storage cannot be reached.',
    hint: 'Check the network, the name of the account or bucket, and endpoint in storage.options.',
  },
];

/** Messages of clouds about unknown or expired keys and tokens. */
const KEY_REFUSED: ReadonlySet<string> = new Set([
  'AuthenticationFailed',
  'InvalidAuthenticationInfo',
  'NoAuthenticationInformation',
  'InvalidAccessKeyId',
  'SignatureDoesNotMatch',
  'ExpiredToken',
  'InvalidToken',
  'TokenRefreshRequired',
  'RequestTimeTooSkewed',
]);

function isRefusal(text: string, status: number): boolean {
  return status === 401 || status === 403 || /valid authentication credentials|lacked the necessary privileges/.test(text);
}

/**
 * Converts a failure of object storage; undefined for other failures. The cause keeps details for engineers, without anything that could
 * contain a key, a token or a signature.
 */
export function remoteFault(action: string, cause: unknown): LoreError | undefined {
  const text = cause instanceof Error ? cause.message : String(cause);
  if (!REMOTE.test(text) && !OBJECT_MISSING.test(text)) return undefined;
  const [, azure, google] = NAME.exec(text) ?? [];
  const said = { text, status: Number(STATUS.exec(text)?.[1] ?? 0), name: azure ?? google ?? '' };
  const hidden = new Error(withoutSecrets(said));
  const fault = FAULTS.find(({ is }) => is(said));
  if (fault === undefined) return new LoreError('internal', `Could not ${action}.`, { cause: hidden });
  const { code, message, hint } = fault;
  const again = code === 'unavailable' ? { retryAfterSeconds: RETRY_SECONDS } : {};
  return new LoreError(code, `Could not ${action}. ${message}`, { cause: hidden, hint, ...again });
}

/** The first of the repeated sentences of the engine, without the query of a URL and the body of a response. */
function withoutSecrets({ text, name }: ReportedFault): string {
  const [sentence = ''] = text.split(/, \/|\s+Caused by:/, 1);
  const upToAnswer = /^.*?(?:status code: \d{3}[\w ]*|ProviderError)/s.exec(sentence)?.[0] ?? sentence;
  return upToAnswer.replaceAll(/\?\S*/g, '?…') + (name === '' ? '' : `: ${name}`);
}

/** The engine's message for a missing table or version. */
const NO_TABLE = /was not found|not found:/i;

/** Whether the cause of a failure is a missing object or table; also for an already converted error. */
export function isMissing(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (OBJECT_MISSING.test(cause.message) || NO_TABLE.test(cause.message)) return true;
  }
  return false;
}
