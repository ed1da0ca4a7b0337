import { useMemo } from 'preact/hooks';
import { CodeBlock } from '../parts/code-block.tsx';
import { Paragraph } from '../parts/inline-text.tsx';
import { texts } from './texts.ts';

export const GUIDE_PARTS = ['curl', 'fetch', 'client', 'mcp'] as const;
type GuidePart = (typeof GUIDE_PARTS)[number];

const plain = (text: string) => [{ text, start: 0, marked: false }];

interface Step {
  readonly said: string;
  readonly snippet: Snippet;
}

function stepsOf(keyed: boolean): Readonly<Record<GuidePart, readonly Step[]>> {
  const here = { origin: location.origin, keyed };
  const { curl, fetch, client, mcp } = texts.guide.steps;
  const [shell, library, clients] = [curlSnippets(here), clientSnippets(here), mcpSnippets(here)];
  return {
    curl: [
      { said: curl.save, snippet: shell.save },
      { said: curl.recall, snippet: shell.recall },
      { said: curl.follow, snippet: shell.follow },
    ],
    fetch: [{ said: fetch.recall, snippet: fetchSnippet(here) }],
    client: [
      { said: client.use, snippet: library.use },
      { said: client.follow, snippet: library.follow },
    ],
    mcp: [
      { said: mcp.setup, snippet: clients.setup },
      { said: mcp.local, snippet: clients.local },
      { said: mcp.http, snippet: clients.http },
    ],
  };
}

/** How other programs use this server: from a shell, from JavaScript, with the library, as tools of an AI client. */
export function Guide({ keyed }: { keyed: boolean }) {
  const steps = useMemo(() => stepsOf(keyed), [keyed]);
  return (
    <section class="sect guide" id="guide" aria-labelledby="guide-title">
      <h2 id="guide-title">{texts.guide.title}</h2>
      <Paragraph class="said" text={keyed ? texts.guide.keyed(location.origin) : texts.guide.open(location.origin)} />
      {GUIDE_PARTS.map((part) => (
        <section key={part} class="card guide-part" id={`guide-${part}`} aria-labelledby={`guide-${part}-title`}>
          <h3 id={`guide-${part}-title`}>
            <a class="under" href={`#guide-${part}`}>
              {texts.guide.parts[part].title}
            </a>
          </h3>
          {steps[part].map(({ said, snippet }) => (
            <div key={said} class="snippet">
              <Paragraph class="said" text={said} />
              <CodeBlock code={snippet.code} language={snippet.language} marker={plain} />
            </div>
          ))}
        </section>
      ))}
    </section>
  );
}

/** Example programs with the address of this server. */
interface Snippet {
  /** Language for highlighting. */
  readonly language: 'sh' | 'js' | 'json';
  readonly code: string;
}

interface Here {
  /** Without a slash at its end. */
  readonly origin: string;
  /** Whether requests need a key; it is named, never shown. */
  readonly keyed: boolean;
}

const QUESTION = 'how do we deploy?';

function curlSnippets({ origin, keyed }: Here): { readonly save: Snippet; readonly recall: Snippet; readonly follow: Snippet } {
  const key = keyed ? ` \\\n  -H "x-api-key: $LORE_KEY"` : '';
  const json = `-H 'content-type: application/json'`;
  const post = (path: string, body: object): string => `curl -s ${origin}${path} ${json}${key} \\\n  -d '${JSON.stringify(body)}'`;
  return {
    save: { language: 'sh', code: post('/api/save', { content: 'We deploy with make ship; staging first.', tags: ['deploy'] }) },
    recall: { language: 'sh', code: post('/api/recall', { query: QUESTION, limit: 3 }) },
    follow: { language: 'sh', code: `curl -sN ${origin}/api/events${key}` },
  };
}

function fetchSnippet({ origin, keyed }: Here): Snippet {
  const headers = keyed ? `{ 'content-type': 'application/json', 'x-api-key': key }` : `{ 'content-type': 'application/json' }`;
  const code = `const answer = await fetch('${origin}/api/recall', {
  method: 'POST',
  headers: ${headers},
  body: JSON.stringify({ query: '${QUESTION}', limit: 3 }),
});
const body = await answer.json();
if (!answer.ok) throw new Error(\`\${body.code}: \${body.error}\`);
for (const { score, entry } of body.results) console.log(score, entry.content);`;
  return { language: 'js', code };
}

function clientSnippets({ origin, keyed }: Here): { readonly use: Snippet; readonly follow: Snippet } {
  const options = keyed ? `{ url: '${origin}', key: process.env.LORE_KEY }` : `{ url: '${origin}' }`;
  const use = `import { LoreClient } from 'lore/client';

const lore = new LoreClient(${options});

await lore.save({ content: 'We deploy with make ship; staging first.', tags: ['deploy'] });
const { results } = await lore.recall({ query: '${QUESTION}', limit: 3 });
for (const { score, entry } of results) console.log(score, entry.content);`;
  const follow = `// Every change, no matter who makes it; comes back by itself where the connection is cut.
for await (const event of lore.events()) console.log(event.type);`;
  return { use: { language: 'js', code: use }, follow: { language: 'js', code: follow } };
}

function mcpSnippets({ origin, keyed }: Here): { readonly setup: Snippet; readonly local: Snippet; readonly http: Snippet } {
  const local = { mcpServers: { lore: { command: 'lore', args: ['mcp'] } } };
  const headers = keyed ? { headers: { Authorization: 'Bearer KEY' } } : {};
  const http = { mcpServers: { lore: { type: 'http', url: `${origin}/mcp?namespace=owner/repo`, ...headers } } };
  return {
    setup: { language: 'sh', code: 'lore setup --target claude   # or cursor, windsurf, opencode, vscode, codex' },
    local: { language: 'json', code: JSON.stringify(local, null, 2) },
    http: { language: 'json', code: JSON.stringify(http, null, 2) },
  };
}
