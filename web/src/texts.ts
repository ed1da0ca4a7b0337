/** Strings that every view shares; each view has its own beside it, and loads them with it. */
import { count, counted } from './parts/formats.ts';

export const memory = 'memory';
export const memories = 'memories';

const milliseconds = (ms: number): string => (ms < 1000 ? `${Math.max(Math.round(ms), 1)} ms` : `${(ms / 1000).toFixed(1)} s`);

export const texts = {
  product: 'Lore',
  memory,
  memories,
  title: (page: string) => `${page} · Lore`,
  start: 'Lore, start',
  skip: 'Skip to content',
  main: 'Main',
  namespaces: 'Namespaces',
  apiDocs: 'HTTP API',
  notifications: 'Notifications',
  dismiss: 'Dismiss',
  undo: 'Undo',
  close: 'Close',
  cancel: 'Cancel',
  tryAgain: 'Try again',
  loading: 'Loading',
  copyCommand: 'Copy command',
  commandCopied: 'Command copied',
  notCopied: 'The browser does not allow copying here. Select the text and copy it by hand.',
  ms: milliseconds,

  views: {
    label: 'Views',
    search: 'Search',
    browse: 'Browse',
    graph: 'Graph',
    save: 'Save a memory',
    stats: 'Statistics',
    admin: 'Administration',
    short: { search: 'Search', browse: 'Browse', graph: 'Graph', save: 'Save', stats: 'Stats', admin: 'Admin' },
  },
  keyboard: {
    title: 'Keyboard',
    or: 'or',
  },
  palette: {
    button: 'Commands',
  },
  theme: { legend: 'Theme', light: 'Light', system: 'As the system', dark: 'Dark' },
  server: {
    unknown: 'Connecting',
    ready: 'Connected',
    offline: 'Not answering',
    locked: 'Locked',
    warnings: (number: number) => counted(number, 'warning', 'warnings'),
  },
  live: {
    states: { connecting: 'Connecting', live: 'Live', reconnecting: 'Reconnecting', paused: 'Paused', off: 'Not live' },
    explained: {
      connecting: 'The server is asked to tell what changes.',
      live: 'What changes in the store appears here by itself.',
      reconnecting: 'The connection was cut. This page tries again by itself.',
      paused: 'What changes in the store does not appear by itself until you go on.',
      off: 'The server does not tell what changes. Reload the page to see it.',
    },
    fresh: (number: number) => counted(number, 'new memory', 'new memories'),
    pause: 'Pause live updates',
    resume: 'Go on with live updates',
    arrived: (number: number) => `${counted(number, 'new memory', 'new memories')} since this page was opened`,
  },
  errors: {
    network: 'The server is not answering.',
    timeout: 'The server did not answer within 30 seconds.',
    status: (status: number) => `The server answered with status ${status} and no explanation.`,
  },
  key: {
    needed: 'This store asks for a key',
    explained: 'It is kept for this tab only and never written to disk.',
    label: 'API key',
    rejected: 'The server does not accept this key.',
    unlock: 'Unlock',
    enter: 'Enter the key',
  },
  offline: {
    title: 'The server is not answering',
    text: 'Nothing is lost. This page tries again by itself every few seconds. If the server was stopped, start it:',
    stale: 'You see what was loaded before. This page reconnects by itself.',
  },

  tags: {
    label: 'Tags',
    known: 'Known tags',
    create: (tag: string) => `Create “${tag}”`,
    remove: (tag: string) => `Remove tag ${tag}`,
    filterBy: (tag: string) => `Only memories with the tag ${tag}`,
  },
  priorities: { low: 'Low', normal: 'Normal', high: 'High' },
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
  archive: {
    reasons: {
      expired: 'Too old',
      'too many': 'More than there is room for',
      'near duplicate': 'Said by another memory',
      forgotten: 'Forgotten',
      unwanted: 'Never again',
    },
    restored: (number: number) => `${counted(number, memory, memories)} restored`,
    skipped: (number: number, reason: string) => `${count(number)} ${number === 1 ? 'stays' : 'stay'} in the archive: ${reason}`,
    notRestored: (message: string) => `Not restored: ${message}`,
  },
} as const;
