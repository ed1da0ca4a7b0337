export const firstTexts = {
  title: 'Nothing remembered yet.',
  title2: 'Tell it one thing.',
  lead: 'Lore remembers what you and your coding agents should not have to work out twice: decisions and their reasons, preferences, bugs and their fixes, the command that finally worked. It stays on this machine.',
  ways: 'Three ways to start',
  here: {
    title: 'Save one here',
    text: 'A fact, a decision, a preference: one sentence is enough.',
    label: 'The first memory',
    example: 'The spare key is with Ana',
    save: 'Save',
  },
  agent: {
    title: 'Connect your agent',
    text: 'Your coding agent then saves and recalls automatically. The command sets up every client that it finds; `teardown --all` undoes it.',
    found: (names: readonly string[]) => (names.length === 0 ? '' : `Found here: ${names.join(', ')}.`),
  },
  bring: {
    title: 'Import what you have',
    text: 'Drop a folder of Markdown, Markdown files, or a file of JSON, JSON Lines or CSV here. The command also takes the memory of Claude Code, Cursor rules, and exports of mem0, Zep, basic-memory and other stores. Nothing is stored twice.',
    choose: 'Choose a file',
    path: 'FILE_OR_FOLDER',
  },
  demo: 'To look around, open a temporary store of made-up memories:',
  ready: (host: string, model: string, namespace: string) => `Ready: server on ${host}, model ${model}, namespace ${namespace}.`,
} as const;
