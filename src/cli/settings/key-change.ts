import type { AdminAction, AdminFacts } from '../../admin-audit.ts';
import type { LoadedConfig } from '../../config/load.ts';
import type { ApiKey } from '../../memory/operations/key-operations.ts';

interface KeyChange<T> {
  readonly work: () => Promise<T>;
  readonly recordOf: (done: T) => ApiKey;
  /** The file given with `--config`. */
  readonly configFile: string | undefined;
  /** Called if the audit record could not be written. */
  readonly warn: (problem: string) => void;
}

/** Creates or revokes a key, and records it in the audit log if enabled. */
export async function changingKeys<T>(
  action: AdminAction & `keys.${string}`,
  { work, recordOf, configFile, warn }: KeyChange<T>,
): Promise<T> {
  const [{ recordAction, runRecorded }, { loadConfig }] = await Promise.all([
    import('../../admin-audit.ts'),
    import('../../config/load.ts'),
  ]);
  const settings = (): LoadedConfig | undefined => {
    try {
      return loadConfig(configFile === undefined ? {} : { configFile });
    } catch {
      return undefined;
    }
  };
  // A configuration that lets other machines in is invalid without a key, so it may be valid only after the first key was created, or
  // before the last was revoked.
  const before = settings();
  const factsOf = (done: T | undefined): AdminFacts => {
    // A failed change may contain anything, even a key.
    if (done === undefined) return {};
    const { name, access, namespace } = recordOf(done);
    return { subject: name, granted: access, ...(namespace !== undefined && { namespaces: [namespace] }) };
  };
  return await runRecorded(action, { work, factsOf }, async (_action, outcome) => {
    const loaded = before ?? settings();
    if (loaded === undefined) warn('the configuration cannot be read, so this change may be missing in the audit log');
    else await recordAction(action, outcome, { config: loaded.config, log: { warn: (_fields, message) => warn(message) } });
  });
}
