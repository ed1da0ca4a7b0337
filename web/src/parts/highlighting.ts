import { common, createLowlight } from 'lowlight';

interface Colored {
  readonly text: string;
  readonly class: string | undefined;
}

type Node = ReturnType<ReturnType<typeof createLowlight>['highlight']>['children'][number];

const lowlight = createLowlight(common);
/** What has each colour, as the highlighter calls it. */
const COLOURS = {
  'c-k': ['keyword', 'built_in', 'literal', 'selector-tag', 'name', 'section', 'attr', 'meta'],
  'c-s': ['string', 'regexp', 'addition', 'selector-class'],
  'c-n': ['number', 'variable', 'template-variable', 'symbol', 'attribute', 'deletion'],
  'c-c': ['comment', 'quote', 'doctag'],
};
const CLASSES = new Map<unknown, string>(
  Object.entries(COLOURS).flatMap(([colour, names]) => names.map((name) => [`hljs-${name}`, colour] as const)),
);

/** Code as coloured pieces; undefined for an unknown language. */
export function highlight(code: string, language: string): readonly Colored[] | undefined {
  if (!lowlight.registered(language)) return undefined;
  return lowlight.highlight(language, code).children.flatMap((node) => pieces(node, undefined));
}

function pieces(node: Node, around: string | undefined): Colored[] {
  if (node.type === 'text') return [{ text: node.value, class: around }];
  if (node.type !== 'element') return [];
  const { className } = node.properties;
  const known = Array.isArray(className) ? className.map((name) => CLASSES.get(name)).find((name) => name !== undefined) : undefined;
  return node.children.flatMap((child) => pieces(child, known ?? around));
}
