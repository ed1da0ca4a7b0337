import { useMemo } from 'preact/hooks';
import { CodeBlock } from '../parts/code-block.tsx';
import { Said } from './said.tsx';
import { clientSnippets, curlSnippets, fetchSnippet, mcpSnippets, type Snippet } from './snippets.ts';
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
      <Said text={keyed ? texts.guide.keyed(location.origin) : texts.guide.open(location.origin)} />
      {GUIDE_PARTS.map((part) => (
        <section key={part} class="card guide-part" id={`guide-${part}`} aria-labelledby={`guide-${part}-title`}>
          <h3 id={`guide-${part}-title`}>
            <a href={`#guide-${part}`}>{texts.guide.parts[part].title}</a>
          </h3>
          {steps[part].map(({ said, snippet }) => (
            <div key={said} class="snippet">
              <Said text={said} />
              <CodeBlock code={snippet.code} language={snippet.language} marker={plain} />
            </div>
          ))}
        </section>
      ))}
    </section>
  );
}
