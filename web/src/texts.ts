/** Every word that the pages say. English; plain, and in the order in which a person needs it. */
import type { Results } from './search/use-results.ts';
import type { MatchedTerm, SearchMode } from './api/forms.ts';
import { bytes, count, counted } from './parts/formats.ts';

const memory = 'memory';
const memories = 'memories';

const milliseconds = (ms: number): string => (ms < 1000 ? `${Math.max(Math.round(ms), 1)} ms` : `${(ms / 1000).toFixed(1)} s`);

function found({ hits, total, query, tookMs, error, loading, hasMore }: Results): string {
  if (error !== undefined || (loading && hits.length === 0)) return '';
  if (query === '') return `${counted(total ?? hits.length, memory, memories)}, newest first`;
  const many = hasMore ? `Best ${count(hits.length)} memories` : counted(hits.length, memory, memories);
  return `${many} in ${milliseconds(tookMs)}`;
}

function filteredBy(namespace: string, tags: readonly string[]): string {
  const where = namespace === '' ? '' : `in ${namespace}`;
  const which = tags.length === 0 ? '' : `with the ${tags.length === 1 ? 'tag' : 'tags'} ${tags.join(', ')}`;
  return `Only memories ${[where, which].filter((part) => part !== '').join(' ')} were looked at.`;
}

/** `deploy ×2`, `kubernetes for k8s (equivalent)`. */
function term({ term: word, matched, kind, count: times }: MatchedTerm): string {
  const found = times > 1 ? `${matched} ×${count(times)}` : matched;
  return kind === 'exact' ? found : `${found} for ${word} (${kind})`;
}

const nothingHelp: Readonly<Record<SearchMode, string>> = {
  hybrid: 'Neither the words nor the meaning are in the store. Fewer or other words may do better.',
  vector: 'Nothing is close in meaning. Hybrid search looks for the words as well.',
  keyword: 'No memory holds these words. Hybrid search looks for the meaning as well.',
};

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
    save: 'Save a memory',
    stats: 'Statistics',
    short: { search: 'Search', save: 'Save', stats: 'Statistics' },
  },
  theme: { legend: 'Theme', light: 'Light', system: 'As the system', dark: 'Dark' },
  server: {
    unknown: 'Connecting',
    ready: 'Connected',
    offline: 'Not answering',
    locked: 'Locked',
    warnings: (number: number) => counted(number, 'warning', 'warnings'),
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

  modes: {
    legend: 'Search mode',
    hybrid: 'Hybrid',
    vector: 'Vector',
    keyword: 'Keyword',
    explained: { hybrid: 'By meaning and by words', vector: 'By meaning', keyword: 'By words' } satisfies Record<SearchMode, string>,
  },
  search: {
    form: 'Memories',
    label: 'Search memories',
    placeholder: 'Search everything you asked to remember',
    clear: 'Clear the search',
    newest: 'Newest memories',
    results: 'Search results',
    failed: 'That did not work',
    more: 'Show more',
    explain: 'Explain',
    explained: 'Say of each result which words matched and what counted',
    tryHybrid: 'Search hybrid',
    found,
    filteredBy,
    nothing: (query: string) => `Nothing about “${query}”`,
    nothingHere: 'Nothing here',
    nothingHelp,
  },
  filters: {
    label: 'Filters',
    namespace: 'Namespace',
    allNamespaces: 'All namespaces',
    tag: 'Tag',
    addTag: 'Filter by tag',
    removeTag: (tag: string) => `Remove filter: tag ${tag}`,
    removeAll: 'Remove the filters',
  },
  tags: {
    label: 'Tags',
    known: 'Known tags',
    create: (tag: string) => `Create “${tag}”`,
    remove: (tag: string) => `Remove tag ${tag}`,
    filterBy: (tag: string) => `Only memories with the tag ${tag}`,
  },
  score: {
    label: 'Score',
    why: 'Why this result',
    vector: 'Vector',
    keyword: 'Keyword',
    absent: 'not counted',
    words: 'Words found:',
    none: 'none',
    term,
    missing: (words: string) => `Not in it: ${words}`,
    rankedBy: 'Ordered by',
    /** What the server adds up, by its names. */
    parts: {
      bm25: 'Words',
      vector: 'Meaning',
      proximity: 'Words close together',
      order: 'Words in order',
      early: 'Words early on',
      tag: 'Tags',
      correction: 'Corrects an older one',
      recency: 'Recent',
      importance: 'Important',
    },
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
  details: {
    title: 'Memory',
    preview: 'Selected memory',
    facts: 'Facts',
    open: 'Open',
    before: 'Previous result',
    after: 'Next result',
    place: (place: number, of: number) => `${count(place)} of ${count(of)}`,
    showAll: (length: string) => `Show all ${length} characters`,
    priority: 'Priority',
    importance: 'Importance',
    namespace: 'Namespace',
    container: 'Container',
    names: 'Names',
    source: 'Source',
    saved: 'Saved',
    changed: 'Changed',
    length: 'Length',
    character: 'character',
    characters: 'characters',
    id: 'Id',
    copyId: 'Copy the id',
    idCopied: 'Id copied',
    copyText: 'Copy text',
    textCopied: 'Text copied',
    copyLink: 'Copy link',
    linkCopied: 'Link copied',
    gone: 'This memory is not here',
    goneText: 'It was forgotten, or the link is wrong.',
    failed: 'The memory could not be loaded',
  },
  forget: {
    action: 'Forget',
    title: 'Forget this memory?',
    explained: 'It is removed at once and for good, from the store and from every index.',
    confirm: 'Forget it',
    keep: 'Keep it',
    done: 'Memory forgotten',
    gone: 'It was forgotten already',
    failed: (message: string) => `Not forgotten: ${message}`,
  },

  first: {
    title: 'Nothing remembered yet.',
    title2: 'Tell it one thing.',
    lead: 'Lore keeps what you and your coding agents should not have to work out twice: decisions and their reasons, preferences, bugs and their cures, the command that finally worked. It stays on this machine.',
    ways: 'Three ways in',
    shell: { title: 'From the command line', text: 'Save, recall, search and forget from any terminal.' },
    program: { title: 'From a program', text: 'One request saves. Every route is on the HTTP API page, with a form to try it.' },
    bring: { title: 'Bring what you have', text: 'JSON Lines, from Lore or another store. Nothing is stored twice.' },
    ready: (host: string, model: string, namespace: string) => `Ready: server on ${host}, model ${model}, namespace ${namespace}.`,
  },

  save: {
    title: 'Save a memory',
    lead: 'One fact, decision or command each. It is found again by its meaning, so plain sentences work best.',
    form: 'New memory',
    content: 'Memory',
    keySaves: 'saves.',
    tagsHint: 'Enter or a comma adds a tag.',
    namespace: 'Namespace',
    namespaceHint: (own: string | undefined) => (own === undefined ? 'Groups memories by project.' : `${own} unless you name another.`),
    namespaceGlobal: 'The global namespace, because Global is on.',
    container: 'Container',
    containerHint: 'Same as the namespace unless you change it.',
    priority: 'Priority',
    global: 'Global',
    globalHint: 'Belongs to no project',
    save: 'Save memory',
    saving: 'Saving…',
    clear: 'Clear',
    failed: (message: string) => `Not saved: ${message}`,
  },
  receipt: {
    label: 'Receipt',
    stored: (title: string) => `Saved: “${title}”`,
    duplicate: (title: string) => `Already known: “${title}”`,
    duplicateText: 'The same text is there already, so nothing was stored twice. New tags were added to it.',
    passages: 'Passages',
    searchable: (passages: number, pending: boolean) =>
      `${count(passages)}, ${pending ? 'by keyword now, by meaning soon' : 'searchable now'}`,
    took: 'Took',
  },

  stats: {
    title: 'Statistics',
    lead: 'What is remembered, and how the store is doing.',
    refresh: 'Refresh',
    failed: 'The figures could not be loaded',
    warnings: 'Warnings',
    perDay: 'Saved per day',
    lastDays: (days: number) => `last ${count(days)} days, UTC`,
    byNamespace: 'By namespace',
    noNamespaces: 'No namespaces yet.',
    topTags: 'Top tags',
    noTags: 'No memory carries a tag yet.',
    bySource: 'By source',
    byPriority: 'By priority',
    others: 'other',
    nothing: 'Nothing yet.',
    all: (number: number) => `All ${count(number)}`,
    fewer: 'Fewer',
    tiles: {
      memories: 'Memories',
      memoriesNote: (week: number, global: number) => `+${count(week)} in 7 days, ${count(global)} global`,
      month: 'Saved in 30 days',
      monthNote: (daily: number) => `${daily.toFixed(1)} a day`,
      namespaces: 'Namespaces',
      namespacesNote: (containers: number) => counted(containers, 'container', 'containers'),
      disk: 'On disk',
      diskNote: (each: number) => {
        const { value, unit } = bytes(each);
        return `${value} ${unit} a memory`;
      },
    },
    index: {
      title: 'Index',
      states: { ready: 'Ready', idle: 'Ready, asleep', loading: 'Loading', downloading: 'Downloading', failed: 'Failed' },
      embedder: 'Embedder',
      standsInFor: 'Stands in for',
      dimensions: 'Dimensions',
      indexed: 'Indexed',
      indexedOf: (indexed: number, all: number) => `${count(indexed)} of ${count(all)}`,
      unindexed: 'Not indexed',
      rows: (number: number) => (number === 0 ? 'none' : `${count(number)}, searched one by one`),
      fragments: 'Fragments',
      version: 'Table version',
      disk: 'On disk',
      vectors: 'Vectors',
    },
    server: {
      title: 'Server',
      healthy: 'Healthy',
      version: 'Version',
      storage: 'Storage',
      namespace: 'Namespace',
      memories: 'Memories',
      maintenance: 'Upkeep',
      idle: 'Nothing to do',
      rss: 'Memory used',
      capture: 'Auto-capture',
      on: 'On',
      off: 'Off',
    },
  },
} as const;
