/** The commands and topics of `lore --help` and docs/cli.md, by purpose. */
export const COMMAND_GROUPS: readonly (readonly [title: string, names: readonly string[]])[] = [
  ['Memories', ['save', 'recall', 'list', 'get', 'edit', 'forget', 'history', 'explain']],
  ['Relations', ['relate', 'unrelate', 'relations', 'entities']],
  ['Agents', ['setup', 'teardown', 'mcp', 'capture', 'trust']],
  ['Data', ['import', 'export', 'index', 'ingest', 'namespace', 'archive', 'migrate', 'backup', 'push', 'pull']],
  ['Server', ['serve', 'demo', 'open', 'init', 'config', 'auth', 'completion']],
  ['Checks', ['doctor', 'stats']],
];
