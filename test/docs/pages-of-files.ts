import { docxOf, paragraph } from '../sources/readers/docx-fixture.ts';
import { pdfOf } from '../sources/readers/pdf-fixture.ts';
import { zipOf } from '../sources/readers/zip-fixture.ts';
import { ID, jsonLines, SERVER, type Preparation } from './preparation.ts';

const NOTES_CSV = `text,tags,project,created_at,priority,mood
We deploy with make ship.,"deploy, ops",owner/repo,2024-05-01,,
"Two lines,
and a ""quote""",,,,,
"Tabs, not spaces.",,,,,
 ,ops,,,,
one,two,,,,,seven
`;
const CHAT = [
  {
    uuid: 'c1',
    name: 'Deploys',
    created_at: '2026-02-01T10:00:00Z',
    updated_at: '2026-02-01T10:00:00Z',
    chat_messages: [
      { uuid: 'm1', sender: 'human', text: 'When do we deploy?', created_at: '2026-02-01T10:00:00Z' },
      { uuid: 'm2', sender: 'assistant', text: 'On Tuesdays.', created_at: '2026-02-01T10:00:05Z' },
    ],
  },
];
const RULE = '---\ndescription: Style\nglobs: "*.ts"\nalwaysApply: false\n---\n\nTabs, not spaces.\n';
const MEM0 = { results: [{ id: '3c90c3cc-0d44-4b50-8888-8dd25736052a', memory: 'Prefers window seats', user_id: 'alex' }] };
const OPEN_MEMORY = {
  memories: [{ id: '3c90c3cc-0d44-4b50-8888-8dd25736052b', content: 'Prefers tea', state: 'active', app_id: 'a1' }],
  apps: [{ id: 'a1', name: 'cursor' }],
};

const MONEY = `/** Half a cent is rounded up. */
export function round(cents: number): number {
  return Math.round(cents);
}
`;
const CART = `import { round } from './money.ts';

export interface Line {
  /** Net, in cents. */
  readonly price: number;
  readonly count: number;
}

/** What the customer pays, with tax. */
export function totalOf(lines: readonly Line[], taxRate: number): number {
  const net = lines.reduce((sum, { price, count }) => sum + price * count, 0);
  // Rounded once, at the end: cents of single lines add up to another total.
  return round(net * (1 + taxRate));
}

/** Takes one line out of the cart; the others keep their order. */
export function withoutLine(lines: readonly Line[], at: number): Line[] {
  return lines.toSpliced(at, 1);
}
`;

/** Pages about files that are read: imports, documents, projects. */
export const FILE_PAGES: Readonly<Record<string, Preparation>> = {
  'docs/import.md': {
    files: {
      'backup.jsonl': jsonLines({ id: ID, content: 'We deploy with make ship.', tags: ['deploy'], namespace: 'owner/repo' }),
      'notes.csv': NOTES_CSV,
      '~/project/notes.csv': NOTES_CSV,
      '~/vault/deploys.md': '# Deploys\n\nWith make ship.\n\n## Staging\n\nFirst.\n',
      'memory.json': JSON.stringify({ memories: [{ content: 'Invoices are due in thirty days' }] }),
    },
    start: `gzip -k backup.jsonl && export EDITOR='sed -i s/ship/deploy/'`,
    before: {
      'lore import notes.csv --dry-run\n': `cd ~/project && rm -rf ~/.local/share/lore && lore save 'Tabs, not spaces.'`,
      'lore export --markdown': 'cd ~/repo && lore import backup.jsonl',
    },
  },
  'docs/indexing.md': {
    files: {
      '.env': 'TOKEN=x\n',
      'package-lock.json': '{}\n',
      'docs/guide.md': '# Guide\n\nStart with make.\n',
      'README.md': '# Shop\n\nIt sells tea.\n',
      'src/money.ts': MONEY,
      'src/cart.ts': CART,
    },
    start: `git remote set-url origin https://github.com/acme/shop.git && cp "$CLONE/docs/openapi.json" docs/`,
    untilStopped: { 'lore index --watch': [':', 'Watching'] },
    before: {
      'lore index\n': `echo 'One more.' >> docs/guide.md && mv src/money.ts src/cents.ts && rm README.md`,
      'curl -s localhost:7007/api/sources -H': SERVER,
    },
  },
  'docs/ingest.md': {
    files: {
      'handbook.pdf': pdfOf([['Deploys go out on Tuesdays.']]),
      'meeting-notes.docx': docxOf(paragraph('Invoices are due in thirty days.')),
      '~/notes/a.md': '# A\n\nText.\n',
      '~/notes/drafts/b.md': '# B\n\nDraft.\n',
      'conversations.json': JSON.stringify(CHAT),
      '~/page.html': '<html><head><title>A page</title></head><body><p>Text of the page.</p></body></html>',
      '~/project/notes.md': '# Guide\n\nStart with make.\n\n## Deploy\n\nWith make ship. #ops\n\n### Rolling back\n\nWith make back.\n',
      '~/project/bad.jsonl': '{"content": "one"}\n{"content": \n',
      '~/project/good.jsonl': '{"content": "one"}\n{"content": "two"}\n',
    },
    start: `git tag v1.0 && echo a > a && git add a && git commit -qm 'Add a' && git tag v2.0`,
    instead: { 'https://example.com': 'file:///home/ada/page.html' },
    before: { 'lore ingest notes.md': 'cd ~/project' },
    ends: { 'lore ingest bad.jsonl': 5 },
  },
  'docs/moving.md': {
    files: {
      '~/.claude/projects/-home-ana-shop/memory/MEMORY.md': '# Memory\n\n## Deploys\n\nOn Tuesdays.\n',
      'CLAUDE.md': '# Project\n\n## Style\n\nTabs, not spaces.\n',
      '~/.claude/CLAUDE.md': '# Me\n\n## Answers\n\nIn German.\n',
      '.cursor/rules/style.mdc': RULE,
      '.cursorrules': 'Use pnpm.\n',
      '~/.npm/_npx/1a2b/node_modules/@modelcontextprotocol/server-memory/dist/memory.jsonl': jsonLines(
        { type: 'entity', name: 'Ana', entityType: 'person', observations: ['likes tea'] },
        { type: 'relation', from: 'Ana', to: 'Lore', relationType: 'works_on' },
      ),
      'mcp-memory-export.json': JSON.stringify({
        export_metadata: { source_machine: 'laptop', exporter_version: '5.0.1' },
        memories: [
          { content_hash: 'x', content: 'Deploys need a review', tags: ['deploy'], memory_type: 'decision', created_at: 1_714_557_600 },
        ],
      }),
      'memories.json': JSON.stringify(MEM0),
      'memories_export_ana.zip': zipOf({ 'memories.json': JSON.stringify(OPEN_MEMORY) }),
      'graph.json': JSON.stringify({
        nodes: [{ uuid: 'n1', name: 'Ana', labels: ['Person'], summary: 'Leads the shop team.', created_at: '2026-01-01T00:00:00Z' }],
        edges: [
          {
            uuid: 'e1',
            name: 'USES',
            fact: 'The shop uses Postgres.',
            source_node_uuid: 'n1',
            target_node_uuid: 'n1',
            created_at: '2026-02-01T00:00:00Z',
          },
        ],
      }),
      '~/basic-memory/coffee.md':
        '---\ntitle: Coffee\npermalink: coffee\n---\n\n# Coffee\n\n## Observations\n- [method] Pour over brings out the taste #brewing\n',
    },
  },
};
