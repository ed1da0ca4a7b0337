import { expect, it } from 'vitest';
import { versioningOf } from '../../src/cli/checks/versioning.ts';

it.each([
  ['s3://memories/team', 'aws s3api get-bucket-versioning --bucket memories'],
  ['gs://memories', 'gcloud storage buckets describe gs://memories'],
  ['az://memories/team', 'az storage account blob-service-properties show --account-name ACCOUNT'],
  ['abfss://memories@acmelore.dfs.core.windows.net/team', 'az storage account blob-service-properties show --account-name acmelore'],
])('names the command of the provider %s that shows versioning', (path, command) => {
  expect(versioningOf(path)).toEqual({ state: 'unknown', command });
});

it.each(['s3://$(reboot)/team', "s3://'memories", 's3://a;b', 'gs://`reboot`'])('never puts parts of %s into a shell command', (path) => {
  expect(versioningOf(path)?.command).toMatch(/^[\w .:/-]*BUCKET$/);
});

it.each(['/home/ada/.local/share/lore/store', 'db://memories', undefined])('is silent about versioning of %s', (path) => {
  expect(versioningOf(path)).toBeUndefined();
});
