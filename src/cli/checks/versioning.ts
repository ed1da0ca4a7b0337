import { isOnObjectStorage } from '../../memory/store-address.ts';

/** Whether object storage keeps deleted objects. Lore cannot see it: LanceDB reads and writes objects, and no settings of buckets. */
export interface Versioning {
  readonly state: 'unknown';
  /** Shows versioning, and soft delete where the provider has it. Parts that the store address lacks are in capitals. */
  readonly command: string;
}

/** Other names may mean something to a shell, which the command is pasted into. */
const NAME = /^[\w.-]+$/;
const PLACE = /^(s3|gs|az|abfss):\/\/([^/@]+)(?:@([^./]+))?/;

/** Undefined for a store that is not on object storage. */
export function versioningOf(storePath: string | undefined): Versioning | undefined {
  if (storePath === undefined || !isOnObjectStorage(storePath)) return undefined;
  const [, scheme, bucket, account] = PLACE.exec(storePath) ?? [];
  return { state: 'unknown', command: commandFor(scheme, named(bucket, 'BUCKET'), named(account, 'ACCOUNT')) };
}

/** For a line of `doctor --status`. */
export function versioningText({ command }: Versioning): string {
  return `Lore cannot see it; \`${command}\` shows it`;
}

function commandFor(scheme: string | undefined, bucket: string, account: string): string {
  if (scheme === 's3') return `aws s3api get-bucket-versioning --bucket ${bucket}`;
  if (scheme === 'gs') return `gcloud storage buckets describe gs://${bucket}`;
  return `az storage account blob-service-properties show --account-name ${account}`;
}

const named = (name: string | undefined, otherwise: string): string => (name !== undefined && NAME.test(name) ? name : otherwise);
