import type { Token, Tokens } from 'marked';
import type { ComponentChildren } from 'preact';
import { Marked, type Marker } from './marked.tsx';
import { entryTexts } from '../entry/texts.ts';
import { Icon } from './icon.tsx';

/** Deeper nesting is shown as source text. */
export const MAX_NESTING = 40;
/** Allowed link targets; other links are shown as source text. */
const SAFE = /^(?:https?:\/\/|mailto:)/i;
/** Code names, such as `__init__`, are not bold. */
const DUNDER = /^__\w+__$/;
const MAX_RAW_CHARS = 2_000;

const rawText = (raw: string, marker: Marker): ComponentChildren => (
  <Marked text={raw.length > MAX_RAW_CHARS ? `${raw.slice(0, MAX_RAW_CHARS)}…` : raw} marker={marker} />
);

/** Inline Markdown as elements and text nodes only: raw HTML is text, and nothing is loaded. */
export function Inlines({ tokens = [], marker, nesting = 0 }: { tokens: readonly Token[] | undefined; marker: Marker; nesting?: number }) {
  return (
    <>
      {tokens.map((token, at) => (
        <Inline key={at} token={token} marker={marker} nesting={nesting} />
      ))}
    </>
  );
}

function Inline({ token, marker, nesting }: { token: Token; marker: Marker; nesting: number }): ComponentChildren {
  if (nesting > MAX_NESTING) return rawText(token.raw, marker);
  const { tokens } = token as { readonly tokens?: readonly Token[] };
  const inner = (): ComponentChildren => <Inlines tokens={tokens} marker={marker} nesting={nesting + 1} />;
  switch (token.type) {
    case 'strong':
      return DUNDER.test(token.raw) ? rawText(token.raw, marker) : <strong>{inner()}</strong>;
    case 'em':
      return <em>{inner()}</em>;
    case 'del':
      return <del>{inner()}</del>;
    case 'codespan':
      return (
        <code>
          <Marked text={(token as Tokens.Codespan).text} marker={marker} />
        </code>
      );
    case 'br':
      return <br />;
    case 'link':
      return <Outside href={(token as Tokens.Link).href} instead={rawText(token.raw, marker)} inner={inner} />;
    case 'image':
      return <Picture image={token as Tokens.Image} marker={marker} />;
    case 'checkbox':
      return <Task done={(token as Tokens.Checkbox).checked} />;
    case 'text':
      return tokens === undefined ? <Marked text={(token as Tokens.Text).text} marker={marker} /> : inner();
    case 'escape':
      return (token as Tokens.Escape).text;
    default:
      return rawText(token.raw, marker);
  }
}

interface OutsideProps {
  readonly href: string;
  readonly instead: ComponentChildren;
  readonly inner: () => ComponentChildren;
}

/** An external link without a referrer; shown as source text if it does not lead to the web. */
function Outside({ href, instead, inner }: OutsideProps) {
  if (!SAFE.test(href)) return <>{instead}</>;
  return (
    <a href={href} title={href} target="_blank" rel="noopener noreferrer">
      {inner()}
    </a>
  );
}

/** Images are never loaded, because that would tell their host what is read: an image becomes a link. */
function Picture({ image, marker }: { image: Tokens.Image; marker: Marker }) {
  const named = (): ComponentChildren => (
    <>
      <Icon name="eye" size="sm" />
      {entryTexts.picture(image.text)}
    </>
  );
  return <Outside href={image.href} instead={rawText(image.raw, marker)} inner={named} />;
}

/** The checkbox of a task. */
function Task({ done }: { done: boolean }) {
  return (
    <span class={done ? 'task task--done' : 'task'} role="img" aria-label={done ? entryTexts.taskDone : entryTexts.taskOpen}>
      {done && <Icon name="check" size="sm" />}
    </span>
  );
}
