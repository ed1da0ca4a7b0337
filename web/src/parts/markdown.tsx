import type { Token, Tokens } from 'marked';
import { h, type ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { Marked, type Marker } from './marked.tsx';
import { CodeBlock } from './code-block.tsx';
import { headingLevels, readBlocks, unixRange } from './markdown-tokens.ts';
import { Icon } from './icon.tsx';
import { markdownTexts } from './markdown-texts.ts';

/** A line of this length was wrapped, not ended on purpose. */
const FULL_LINE = 60;

export interface MarkdownProps {
  readonly text: string;
  readonly marker: Marker;
  /** The range to mark with a rule. */
  readonly passage?: { readonly start: number; readonly end: number } | undefined;
  /** Level of the parent heading. */
  readonly base: number;
  /** Shown if the text cannot be parsed. */
  readonly instead: ComponentChildren;
}

interface Pen {
  readonly marker: Marker;
  readonly levels: ReadonlyMap<Token, number>;
  readonly nesting: number;
}

/** Rendered Markdown, made of elements and text nodes only. */
export function Markdown({ text, marker, passage, base, instead }: MarkdownProps) {
  const blocks = useMemo(() => readBlocks(text.replaceAll(/\r\n?/g, '\n')), [text]);
  const levels = useMemo(() => headingLevels(blocks ?? [], base), [blocks, base]);
  if (blocks === undefined) return <>{instead}</>;
  const pen = { marker, levels, nesting: 0 };
  if (passage === undefined) return <Blocks tokens={blocks} pen={pen} />;
  const [from, to] = insideOf(blocks, unixRange(text, passage));
  return (
    <>
      <Blocks tokens={blocks.slice(0, from)} pen={pen} />
      <div class="best">
        <Blocks tokens={blocks.slice(from, to)} pen={pen} />
      </div>
      <Blocks tokens={blocks.slice(to)} pen={pen} />
    </>
  );
}

/** The blocks that overlap a range: the first, and the one after the last. */
function insideOf(blocks: readonly Token[], [start, end]: readonly [number, number]): readonly [number, number] {
  let at = 0;
  let [from, to] = [blocks.length, blocks.length];
  for (const [nth, { raw, type }] of blocks.entries()) {
    const stop = at + raw.trimEnd().length;
    if (type !== 'space' && from === blocks.length && stop > start) from = nth;
    if (at < end) to = nth + 1;
    at += raw.length;
  }
  return [from, Math.max(from, to)];
}

function Blocks({ tokens = [], pen }: { tokens: readonly Token[] | undefined; pen: Pen }) {
  return (
    <>
      {tokens.map((token, at) => (
        <Block key={at} token={token} pen={pen} />
      ))}
    </>
  );
}

function Block({ token, pen }: { token: Token; pen: Pen }): ComponentChildren {
  const { marker, levels, nesting } = pen;
  if (nesting > MAX_NESTING) return <AsWritten text={token.raw} marker={marker} />;
  switch (token.type) {
    case 'space':
    case 'def':
      return null;
    case 'hr':
      return <hr />;
    case 'heading':
      return h(`h${levels.get(token) ?? 6}`, { class: `md-h md-h${token['depth']}` }, <Inlines tokens={token.tokens} marker={marker} />);
    case 'code':
      // A passage cut from a longer text can end with the fence of a block that it does not contain.
      if ((token as Tokens.Code).text.trim() === '') return null;
      return <CodeBlock code={(token as Tokens.Code).text} language={(token as Tokens.Code).lang ?? ''} marker={marker} />;
    case 'blockquote':
      return (
        <blockquote dir="auto">
          <Blocks tokens={token.tokens} pen={{ ...pen, nesting: nesting + 1 }} />
        </blockquote>
      );
    case 'list':
      return <List list={token as Tokens.List} pen={{ ...pen, nesting: nesting + 1 }} />;
    case 'table':
      return <Table table={token as Tokens.Table} marker={marker} />;
    case 'paragraph':
      return (
        <p class={isFull(token.raw) ? undefined : 'lines'}>
          <Inlines tokens={token.tokens} marker={marker} />
        </p>
      );
    case 'text':
    case 'checkbox':
      return (
        <span class={isFull(token.raw) ? undefined : 'lines'}>
          <Inlines tokens={[token]} marker={marker} />
        </span>
      );
    default:
      return <AsWritten text={token.raw} marker={marker} />;
  }
}

/** Whether its lines were wrapped, so that they can be joined. */
function isFull(raw: string): boolean {
  const lines = raw.trimEnd().split('\n');
  return lines.length > 1 && lines.slice(0, -1).every((line) => line.length >= FULL_LINE);
}

const AsWritten = ({ text, marker }: { text: string; marker: Marker }) => (
  <p class="plain">
    <Marked text={text.trimEnd()} marker={marker} />
  </p>
);

function List({ list, pen }: { list: Tokens.List; pen: Pen }) {
  const items = list.items.map((item, at) => (
    <li key={at} class={item.task ? 'task-item' : undefined}>
      <Blocks tokens={item.tokens} pen={pen} />
    </li>
  ));
  return list.ordered ? (
    <ol dir="auto" start={list.start === '' ? 1 : list.start}>
      {items}
    </ol>
  ) : (
    <ul dir="auto">{items}</ul>
  );
}

function Table({ table, marker }: { table: Tokens.Table; marker: Marker }) {
  return (
    // It may be wider than the page and then scrolls, also by keyboard.
    <div class="md-table" tabIndex={0} role="group" aria-label={markdownTexts.table}>
      <table dir="auto">
        <thead>
          <tr>
            {table.header.map((cell, at) => (
              <th key={at} style={{ textAlign: cell.align ?? undefined }}>
                <Inlines tokens={cell.tokens} marker={marker} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, nth) => (
            <tr key={nth}>
              {row.map((cell, at) => (
                <td key={at} style={{ textAlign: cell.align ?? undefined }}>
                  <Inlines tokens={cell.tokens} marker={marker} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Deeper nesting is shown as source text. */
const MAX_NESTING = 40;
/** Allowed link targets; other links are shown as source text. */
const SAFE = /^(?:https?:\/\/|mailto:)/i;
/** Code names, such as `__init__`, are not bold. */
const DUNDER = /^__\w+__$/;
const MAX_RAW_CHARS = 2_000;

const rawText = (raw: string, marker: Marker): ComponentChildren => (
  <Marked text={raw.length > MAX_RAW_CHARS ? `${raw.slice(0, MAX_RAW_CHARS)}…` : raw} marker={marker} />
);

/** Inline Markdown as elements and text nodes only: raw HTML is text, and nothing is loaded. */
function Inlines({ tokens = [], marker, nesting = 0 }: { tokens: readonly Token[] | undefined; marker: Marker; nesting?: number }) {
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
      {markdownTexts.picture(image.text)}
    </>
  );
  return <Outside href={image.href} instead={rawText(image.raw, marker)} inner={named} />;
}

/** The checkbox of a task. */
function Task({ done }: { done: boolean }) {
  return (
    <span class={done ? 'task task--done' : 'task'} role="img" aria-label={done ? markdownTexts.taskDone : markdownTexts.taskOpen}>
      {done && <Icon name="check" size="sm" />}
    </span>
  );
}
