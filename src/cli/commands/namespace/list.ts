import type { NamespaceSummary } from '../../../memory/operations/operations.ts';
import { stdoutColors as pc } from '../../print/colors.ts';
import { MemoryCommand } from '../../memory-command.ts';
import { moment, table } from '../../print/output.ts';

interface Listed {
  /** The largest first. */
  readonly namespaces: readonly NamespaceSummary[];
  /** Namespace of the working directory, which may have no entries yet. */
  readonly here: { readonly namespace: string; readonly why: string };
}

export default class NamespaceList extends MemoryCommand {
  static override summary = 'List namespaces with their sizes.';
  static override description = 'A star marks the namespace of the working directory.';
  static override examples = [
    '<%= config.bin %> namespace list',
    "<%= config.bin %> namespace list --json | jq -r '.namespaces[].namespace'",
  ];

  async run(): Promise<Listed> {
    const { flags } = await this.parse(NamespaceList);
    await using store = await this.openMemories(flags);
    const [namespaces, here] = await Promise.all([store.memories.namespaces(), this.namespaceFor(store.loaded, undefined)]);
    this.log(formatNamespaces(namespaces, here.namespace));
    this.note(`Here: ${here.namespace} (${here.why})`);
    return { namespaces, here };
  }
}

function formatNamespaces(namespaces: readonly NamespaceSummary[], here: string): string {
  if (namespaces.length === 0) return pc.dim('No namespaces: nothing is saved yet.');
  const columns = [
    { title: 'NAMESPACE', shrinkTo: 16 },
    { title: 'ENTRIES', align: 'right' as const },
    { title: 'NEWEST' },
    { title: 'CONTAINERS', shrinkTo: 10 },
  ];
  return table(
    columns,
    namespaces.map(({ namespace, entries, newest, containers }) => [
      `${namespace}${namespace === here ? ' *' : ''}`,
      entries.toLocaleString('en-US'),
      moment(newest),
      containers.filter((name) => name !== namespace).join(', '),
    ]),
  );
}
