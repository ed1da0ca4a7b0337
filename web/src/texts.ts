/** Strings that all views share. Each view has its own file, loaded with the view. */
import { count, counted } from './parts/formats.ts';

export const memory = 'memory';
export const memories = 'memories';

const milliseconds = (ms: number): string => (ms < 1000 ? `${Math.max(Math.round(ms), 1)} ms` : `${(ms / 1000).toFixed(1)} s`);

export const texts = {
  product: 'Lore',
  memory,
  memories,
  oneMemory: 'Memory',
  title: (page: string) => `${page} · Lore`,
  start: 'Lore, home',
  skip: 'Skip to content',
  skipToSide: 'Skip to navigation',
  main: 'Main',
  savedSearches: 'Saved searches',
  namespaces: 'Namespaces',
  apiDocs: 'HTTP API',
  notifications: 'Notifications',
  dismiss: 'Dismiss',
  undo: 'Undo',
  close: 'Close',
  cancel: 'Cancel',
  tryAgain: 'Try again',
  loading: 'Loading',
  place: (first: number, last: number, total: number) => `${count(first)}–${count(last)} of ${count(total)}`,
  copyCommand: 'Copy command',
  commandCopied: 'Command copied',
  notCopied: 'The browser does not allow copying here. Select the text and copy it manually.',
  ms: milliseconds,

  views: {
    label: 'Views',
    memories: 'Memories',
    graph: 'Graph',
    save: 'Save a memory',
    organize: 'Organize',
    stats: 'Statistics',
    admin: 'Administration',
    short: { memories: 'Memories', graph: 'Graph', save: 'Save', organize: 'Organize', stats: 'Stats', admin: 'Admin' },
  },
  keyboard: {
    title: 'Keyboard',
    or: 'or',
  },
  open: { palette: 'Open commands', help: 'Show keyboard shortcuts', docs: 'Open the HTTP API' },
  theme: { legend: 'Theme', light: 'Light theme', system: 'System theme', dark: 'Dark theme' },
  server: {
    unknown: 'Connecting',
    ready: 'Connected',
    offline: 'Not responding',
    locked: 'Locked',
    warnings: (number: number) => counted(number, 'warning', 'warnings'),
  },
  live: {
    states: { connecting: 'Connecting', live: 'Live', reconnecting: 'Reconnecting', paused: 'Paused', off: 'Not live' },
    explained: {
      connecting: 'Connecting to live updates.',
      live: 'Changes in the store appear here automatically.',
      reconnecting: 'The connection was lost. This page reconnects automatically.',
      paused: 'Changes in the store do not appear until you resume.',
      off: 'The server sends no live updates. Reload the page to see changes.',
    },
    fresh: (number: number) => counted(number, 'new memory', 'new memories'),
    pause: 'Pause live updates',
    resume: 'Resume live updates',
    arrived: (number: number) => `${counted(number, 'new memory', 'new memories')} since you opened this page`,
  },
  errors: {
    network: 'The server is not responding.',
    timeout: 'The server did not respond within 30 seconds.',
    status: (status: number) => `The server returned status ${status} without an explanation.`,
  },
  key: {
    needed: 'This store requires an API key',
    explained: 'Create one with `lore auth generate-key`. This page keeps it for this tab only and never writes it to disk.',
    label: 'API key',
    rejected: 'The server does not accept this key.',
    unlock: 'Unlock',
    enter: 'Enter the key',
  },
  offline: {
    title: 'The server is not responding',
    text: 'Nothing is lost. This page retries every few seconds. If the server is stopped, start it:',
    stale: 'This data may be out of date. The page reconnects automatically.',
  },

  tags: {
    label: 'Tags',
    known: 'Known tags',
    create: (tag: string) => `Create “${tag}”`,
    remove: (tag: string) => `Remove tag ${tag}`,
    filterBy: (tag: string) => `Only memories with the tag ${tag}`,
  },
  priorities: { low: 'Low', normal: 'Normal', high: 'High' },
  importance: {
    priority: 'Priority',
    importance: 'Importance',
    explained: 'High ranks first and does not fade. Low is archived first.',
    exact: 'Exact importance',
    reset: 'Discard the exact value',
  },
  sources: {
    api: 'HTTP API',
    cli: 'Command line',
    mcp: 'Agent (MCP)',
    web: 'This page',
    'auto-capture': 'Auto-capture',
    index: 'Project index',
    ingest: 'Ingest',
    import: 'Import',
  },
  kinds: { memory: 'Memories', file: 'Passages of files' },
  archive: {
    reasons: {
      expired: 'Expired',
      'too many': 'Over the limit',
      'near duplicate': 'Duplicate',
      forgotten: 'Forgotten',
      unwanted: 'Never again',
    },
    restored: (number: number) => `${counted(number, memory, memories)} restored`,
    skipped: (number: number, reason: string) => `${count(number)} ${number === 1 ? 'stays' : 'stay'} in the archive: ${reason}`,
    notRestored: (message: string) => `Not restored: ${message}`,
  },
} as const;
