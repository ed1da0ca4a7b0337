/** Elements without text content. */
const REMOVED: ReadonlySet<string> = new Set(
  'script style noscript template iframe object embed canvas picture video audio svg math title'.split(' '),
);

/** Elements that are empty or end where the next of their kind begins. */
const UNNESTED: ReadonlySet<string> = new Set(
  (
    'area base br col embed hr img input link meta param source track wbr p li dt dd tr td th thead tbody tfoot colgroup option optgroup html head body ' +
    'rt rp'
  ).split(' '),
);
/** Maximum nesting depth: the parser takes quadratic time in the depth. */
const MAX_DEPTH = 1000;

/** The used part of the element interface. */
interface Element {
  readonly nodeName: string;
  getAttribute(name: string): string | null;
}

/**
 * Converts HTML to Markdown: keeps headings, lists, tables, code and links; removes scripts, styles and images. Throws RangeError for HTML
 * nested too deeply.
 */
export async function htmlMarkdown(html: string): Promise<string> {
  if (isTooDeep(html)) throw new RangeError('The HTML is nested too deeply.');
  const { default: TurndownService } = await import('turndown');
  const service = new TurndownService({ headingStyle: 'atx', codeBlockStyle: 'fenced', bulletListMarker: '-', emDelimiter: '*' });
  // The result is searched and not displayed: escaping would hide words from the search.
  service.escape = (text) => text;
  service.remove((node: Element) => REMOVED.has(node.nodeName.toLowerCase()));
  service.addRule('image', { filter: 'img', replacement: () => '' });
  service.addRule('link', { filter: 'a', replacement: (content: string, node: Element) => link(content, node.getAttribute('href')) });
  service.addRule('cell', { filter: ['td', 'th'], replacement: (content: string) => `${content.trim().replaceAll(/\s+/g, ' ')} | ` });
  service.addRule('row', { filter: 'tr', replacement: (content: string) => `| ${content.trim()}\n` });
  service.addRule('table', { filter: 'table', replacement: (content: string) => `\n\n${content.trim().replaceAll(/\n{2,}/g, '\n')}\n\n` });
  return service.turndown(html);
}

/** Whether more elements are open at once than in real pages. */
function isTooDeep(html: string): boolean {
  let depth = 0;
  for (const [, slash, name = ''] of html.matchAll(/<(\/?)([a-z][a-z\d]{0,20})/gi)) {
    if (UNNESTED.has(name.toLowerCase())) continue;
    depth = slash === '/' ? Math.max(0, depth - 1) : depth + 1;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}

/** A Markdown link if the address is absolute; otherwise only its text. */
function link(content: string, href: string | null): string {
  const isAddress = href !== null && /^(?:https?:|mailto:)/i.test(href);
  return content.trim() === '' || !isAddress || content.includes(href) ? content : `[${content}](${href})`;
}
