import type { AdminAction, AdminFacts } from '../../admin-audit.ts';
import type { LoadedConfig } from '../../config/load.ts';
import type { ApiKey } from '../../memory/operations/key-operations.ts';

interface KeyChange<T> {
  readonly work: () => Promise<T>;
  readonly recordOf: (done: T) => ApiKey;
  /** The file that `--config` names. */
  readonly configFile: string | undefined;
  /** Told where no line could be left. */
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
  // One that lets other machines in is none without a key: it may be good only after the first was made, or before the last was taken away.
  const before = settings();
  const factsOf = (done: T | undefined): AdminFacts => {
    // What did not work may name anything, also a key.
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
