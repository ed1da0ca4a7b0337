import { Flags } from '@oclif/core';
import type { LoadedConfig } from '../../config/load.ts';
import { DiagnoseRequest, type VerifyReport } from '../../memory/operations/operations.ts';
import { silentLog } from '../../memory/log.ts';
import type { RepairReport } from '../../repair-store.ts';
import type { Checkup, Finding, SettingsFacts } from '../checks/checkup.ts';
import { formatCheckup } from '../checks/checkup.ts';
import { clientStates, integrationFindings } from '../checks/integrations.ts';
import { checkPort, portFindings } from '../checks/port.ts';
import { checkStore, type StoreCheck } from '../checks/store.ts';
import {
  backupFolderFindings,
  diskFindings,
  fileFindings,
  freeSpace,
  modelFindings,
  quarantineFindings,
  renameFindings,
  versionFindings,
} from '../checks/environment.ts';
import { connectIfExists } from '../connection.ts';
import { failureOf } from '../failure.ts';
import { statusLine } from '../print/progress.ts';
import { formatRepair, hasLoss } from '../print/repair.ts';
import { formatVerification, hasFindings } from '../print/verification.ts';
import { fieldFlags } from '../flags/field-flags.ts';
import { showStatus, type NoStore, type Status } from '../checks/status.ts';
import { MemoryCommand, type StoreFlags } from '../memory-command.ts';
import { checkedRequest } from '../flags/request.ts';
import { untrustedFindings } from '../checks/untrusted-file.ts';
import { withoutUndefined } from '../../memory/without-undefined.ts';

/** Exit code for findings: the command worked, but something is wrong. */
const EXIT_FINDINGS = 1;

/** There is no store yet, which is no problem. */
const NO_STORE = 'no store';

interface DoctorFlags {
  readonly config?: string | undefined;
  readonly url?: string | undefined;
  readonly recall: boolean;
}

export default class Doctor extends MemoryCommand {
  static override summary = 'Check the installation and say how to fix what is wrong.';
  static override description =
    'Suggests a fix for each finding. Exits with 0 without findings and with 1 with findings. --status shows the state of server, store, embedder and connected agents, and checks nothing. --verify lists each entry that ' +
    'differs from the saved version or cannot be read, and for a store in a folder each altered file, with the entries in it (a server does the same slowly in the background: storage.scrubInterval). --recall searches for entries of the store ' +
    'with the index and exactly, and compares: recall@10 is the share of the ten true nearest neighbours that the index finds. It also searches for these entries by a few of their words, in hybrid mode and by words alone, and suggests a setting if hybrid mode is worse. --repair is for a store that ' +
    'cannot be opened, or has a wrong byte: stop the server first. It restores altered files and entries from the newest backup that has them, from the checksum or from the write-ahead log, and says which. It exits with 0 if nothing was lost, and with 1 if something cannot be read or differs from the saved version.';
  static override examples = [
    '<%= config.bin %> doctor',
    '<%= config.bin %> doctor --status',
    "<%= config.bin %> doctor --verify --json | jq -r '.altered[]'",
    '<%= config.bin %> doctor --recall --probes 500',
    '<%= config.bin %> doctor --repair --dry-run',
    "<%= config.bin %> doctor --json | jq -r '.findings[] | .problem, .fix'",
  ];
  static override flags = {
    status: Flags.boolean({
      description: 'Only show the state of server, store, embedder and connected agents.',
      exclusive: ['verify', 'recall', 'repair'],
    }),
    verify: Flags.boolean({
      description: 'Verify every stored entry and every file of the store against its checksum.',
      exclusive: ['recall', 'repair'],
    }),
    recall: Flags.boolean({ description: 'Measure the recall of the indexes, and hybrid search against words alone.' }),
    repair: Flags.boolean({
      description:
        'Build a repaired store: compare every file with its checksum, read every row, and restore altered ones. The current store is kept under another name.',
      exclusive: ['recall', 'url'],
    }),
    'dry-run': Flags.boolean({ description: 'Only show what --repair would do.', dependsOn: ['repair'] }),
    ...fieldFlags(DiagnoseRequest, { probes: { description: 'Entries to search for, 1 to 1000 (default 100).', dependsOn: ['recall'] } }),
  };

  async run(): Promise<Checkup | RepairReport | VerifyReport | Status | NoStore> {
    const { flags } = await this.parse(Doctor);
    if (flags.status) return await this.status(flags);
    if (flags.verify) return await this.verify(flags);
    if (flags.repair) return await this.repair(await this.settings(flags), flags['dry-run'] ?? false);
    const request = checkedRequest(DiagnoseRequest, { probes: flags.probes });
    const checkup = await this.examine(flags, request);
    this.log(formatCheckup(checkup));
    if (!checkup.healthy) process.exitCode = EXIT_FINDINGS;
    return checkup;
  }

  private async status(flags: StoreFlags): Promise<Status | NoStore> {
    const loaded = await this.settings(flags);
    await using store = await this.openStoreIfThere(loaded, flags);
    const { namespace, why } = await this.namespaceFor(loaded, undefined);
    const shown = await showStatus({ loaded, store, version: this.config.version, here: { namespace, why } });
    this.log(shown.text);
    for (const note of shown.notes) this.note(`note: ${note}`);
    return shown.status;
  }

  private async verify(flags: StoreFlags): Promise<VerifyReport> {
    await using store = await this.openMemories(flags);
    const status = statusLine();
    status.show('Reading every entry …');
    const report = await store.memories.verify({ source: 'cli' }).finally(() => status.clear());
    for (const line of formatVerification(report)) this.log(line);
    if (hasFindings(report)) process.exitCode = EXIT_FINDINGS;
    return report;
  }

  private async repair(loaded: LoadedConfig, dryRun: boolean): Promise<RepairReport> {
    const { repairStore } = await import('../../repair-store.ts');
    const status = statusLine();
    const onStep = (step: string): void => status.show(step);
    const report = await repairStore(loaded, { log: silentLog, dryRun, onStep }).finally(() => status.clear());
    this.log(formatRepair(report));
    if (hasLoss(report)) process.exitCode = EXIT_FINDINGS;
    return report;
  }

  /** Runs all checks it can: a failed read is a finding, and checks that depend on it are skipped. */
  private async examine(flags: DoctorFlags, request: DiagnoseRequest): Promise<Checkup> {
    const { versions } = await import('../../inspect-store.ts');
    const found = versions();
    const findings: Finding[] = versionFindings(found);
    const loaded = await this.attempt('configuration', findings, () => this.settings(flags));
    if (loaded === undefined) return { healthy: false, findings, versions: found };
    findings.push(...(await untrustedFindings(loaded)));
    const surroundings = flags.url === undefined ? await this.look(loaded, findings) : undefined;
    const store = await this.attempt('store', findings, () => openAndCheck(loaded, flags, request));
    const checked = store === NO_STORE ? undefined : store;
    if (checked !== undefined) findings.push(...checked.findings);
    if (surroundings?.disk !== undefined) findings.push(...diskFindings(surroundings.disk, checked?.facts.storage?.bytes));
    const integrations = await this.attempt('integrations', findings, clientStates);
    findings.push(...integrationFindings(integrations ?? []));
    return {
      healthy: findings.length === 0,
      findings,
      versions: found,
      settings: { ...(await settingsFacts(loaded)), ...(store === NO_STORE && { isNew: true }) },
      ...withoutUndefined({ surroundings }),
      ...(checked !== undefined && { store: checked.facts }),
      ...withoutUndefined({ integrations, diagnosis: checked?.diagnosis }),
    };
  }

  private async look(loaded: LoadedConfig, findings: Finding[]): Promise<NonNullable<Checkup['surroundings']>> {
    const { inspect, wrongStoreFiles } = await import('../../inspect-store.ts');
    const { config } = loaded;
    const inspection = await inspect(loaded);
    const server = inspection.holder?.url;
    const space = inspection.onDisk ? freeSpace(config.storage.path) : undefined;
    const [port, disk] = await Promise.all([checkPort(config.server, server), space]);
    findings.push(
      ...portFindings(port, server !== undefined),
      ...modelFindings(inspection, config),
      ...renameFindings(inspection),
      ...quarantineFindings(inspection),
      ...(await backupFolderFindings(inspection)),
      // Missing permission is reported when the store is opened.
      ...fileFindings(await wrongStoreFiles(loaded).catch(() => [])),
    );
    return { ...inspection, port, ...withoutUndefined({ disk }) };
  }

  private async attempt<T>(about: Finding['about'], findings: Finding[], work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      const { message, hint } = failureOf(error);
      findings.push({ about, problem: message, fix: hint ?? 'Run the command again with --verbose to see the cause.' });
      return undefined;
    }
  }
}

async function openAndCheck(loaded: LoadedConfig, flags: DoctorFlags, request: DiagnoseRequest): Promise<StoreCheck | typeof NO_STORE> {
  await using store = await connectIfExists(loaded, { log: silentLog, url: flags.url, key: process.env['SERVICE_API_KEY'] || undefined });
  return store === undefined ? NO_STORE : await checkStore(store, loaded.config, flags.recall ? request : undefined);
}

async function settingsFacts({ config, files }: LoadedConfig): Promise<SettingsFacts> {
  const [{ detectNamespace }, { userDirectories }] = await Promise.all([
    import('../../config/namespace.ts'),
    import('../../config/directories.ts'),
  ]);
  const namespace = await detectNamespace({ cwd: process.cwd(), configured: config.memory.namespace });
  return { files, namespace, store: config.storage.path, folder: userDirectories().config };
}
