import { Lexer, type Token } from 'marked';

/** Parsing of emphasis takes quadratic time: longer paragraphs stay plain. UTF-16 units. */
const MAX_INLINE_CHARS = 6_000;
/** Limit of this cost for one text in squared UTF-16 units: half a second at worst. Later paragraphs stay plain. */
const MAX_WORK = 100_000_000;

/** The blocks of a Markdown text with `\n` line ends; undefined if it cannot be parsed. Only tokens, never HTML. */
export function readBlocks(text: string): readonly Token[] | undefined {
  const lexer = new Lexer({ gfm: true });
  try {
    lexer.blockTokens(text, lexer.tokens);
    let work = 0;
    for (const { src, tokens } of lexer.inlineQueue) {
      const isReadable = src.length <= MAX_INLINE_CHARS && work < MAX_WORK;
      if (!isReadable) {
        tokens.push({ type: 'text', raw: src, text: src });
        continue;
      }
      work += src.length ** 2;
      lexer.inlineTokens(src, tokens);
    }
    return lexer.tokens;
  } catch {
    // Nested more deeply than the stack allows; such a text is unreadable anyway.
    return undefined;
  }
}

/** The range of a passage after its line ends are changed to `\n`. */
export function unixRange(text: string, { start, end }: { readonly start: number; readonly end: number }): readonly [number, number] {
  const before = (at: number): number => text.slice(0, at).replaceAll('\r\n', '\n').length;
  return text.includes('\r') ? [before(start), before(end)] : [start, end];
}

/** Heading levels below a heading of level `base`: in order, without gaps. */
export function headingLevels(blocks: readonly Token[], base: number): ReadonlyMap<Token, number> {
  const headings = [...headingsOf(blocks, 0)];
  const depths = [...new Set(headings.map(({ depth }) => depth))].toSorted((a, b) => a - b);
  const levels = new Map<Token, number>();
  let last = base;
  for (const { token, depth } of headings) {
    last = Math.min(base + 1 + depths.indexOf(depth), last + 1, 6);
    levels.set(token, last);
  }
  return levels;
}

function* headingsOf(blocks: readonly Token[], nesting: number): Generator<{ readonly token: Token; readonly depth: number }> {
  for (const token of blocks) {
    if (token.type === 'heading') yield { token, depth: token['depth'] as number };
    const inner =
      token.type === 'list' ? (token['items'] as Token[]) : token.type === 'blockquote' || token.type === 'list_item' ? token.tokens : [];
    if (nesting < 20) yield* headingsOf(inner ?? [], nesting + 1);
  }
}
