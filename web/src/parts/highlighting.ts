import { common, createLowlight } from 'lowlight';

interface Colored {
  readonly text: string;
  readonly class: string | undefined;
}

type Node = ReturnType<ReturnType<typeof createLowlight>['highlight']>['children'][number];

const lowlight = createLowlight(common);
const CLASSES: Readonly<Record<string, string>> = {
  'hljs-keyword': 'c-k',
  'hljs-built_in': 'c-k',
  'hljs-literal': 'c-k',
  'hljs-selector-tag': 'c-k',
  'hljs-name': 'c-k',
  'hljs-section': 'c-k',
  'hljs-attr': 'c-k',
  'hljs-meta': 'c-k',
  'hljs-string': 'c-s',
  'hljs-regexp': 'c-s',
  'hljs-addition': 'c-s',
  'hljs-selector-class': 'c-s',
  'hljs-number': 'c-n',
  'hljs-variable': 'c-n',
  'hljs-template-variable': 'c-n',
  'hljs-symbol': 'c-n',
  'hljs-attribute': 'c-n',
  'hljs-deletion': 'c-n',
  'hljs-comment': 'c-c',
  'hljs-quote': 'c-c',
  'hljs-doctag': 'c-c',
};

/** Code as coloured pieces; undefined for an unknown language. */
export function highlight(code: string, language: string): readonly Colored[] | undefined {
  if (!lowlight.registered(language)) return undefined;
  return lowlight.highlight(language, code).children.flatMap((node) => pieces(node, undefined));
}

function pieces(node: Node, around: string | undefined): Colored[] {
  if (node.type === 'text') return [{ text: node.value, class: around }];
  if (node.type !== 'element') return [];
  const { className } = node.properties;
  const known = Array.isArray(className) ? className.map((name) => CLASSES[name]).find((name) => name !== undefined) : undefined;
  return node.children.flatMap((child) => pieces(child, known ?? around));
}
