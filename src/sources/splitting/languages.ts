/** How a file is split: code at definitions, Markdown and reStructuredText at headings, notebooks at cells, other text at paragraphs. */
type Splitting = 'code' | 'markdown' | 'rst' | 'notebook' | 'text';

interface Language {
  /** Tag of its passages. */
  readonly name: string;
  readonly splitting: Splitting;
}

/** File extensions of each language. */
const CODE: Readonly<Record<string, string>> = {
  typescript: 'ts tsx mts cts',
  javascript: 'js jsx mjs cjs',
  python: 'py pyi pyw',
  go: 'go',
  rust: 'rs',
  java: 'java',
  kotlin: 'kt kts',
  scala: 'scala sbt',
  groovy: 'groovy gradle',
  csharp: 'cs',
  fsharp: 'fs fsi fsx',
  swift: 'swift',
  dart: 'dart',
  php: 'php',
  ruby: 'rb rake gemspec',
  c: 'c h',
  cpp: 'cc cpp cxx hpp hh hxx ino',
  objectivec: 'm mm',
  zig: 'zig',
  lua: 'lua',
  perl: 'pl pm',
  r: 'r',
  julia: 'jl',
  elixir: 'ex exs',
  erlang: 'erl hrl',
  haskell: 'hs',
  ocaml: 'ml mli',
  clojure: 'clj cljs cljc',
  shell: 'sh bash zsh fish',
  powershell: 'ps1 psm1',
  sql: 'sql',
  css: 'css scss sass less',
  graphql: 'graphql gql',
  protobuf: 'proto',
  terraform: 'tf hcl',
  yaml: 'yaml yml',
  toml: 'toml',
  ini: 'ini cfg conf properties editorconfig',
  json: 'json jsonc json5',
  vue: 'vue',
  svelte: 'svelte',
  nix: 'nix',
};
const TEXT: Readonly<Record<string, string>> = {
  html: 'html htm xhtml',
  xml: 'xml xsl xsd svg plist',
  asciidoc: 'adoc asciidoc',
  latex: 'tex',
  csv: 'csv tsv',
  log: 'log',
};
const MARKDOWN = 'md mdx markdown mdc';
const NAMES: Readonly<Record<string, Language>> = {
  dockerfile: { name: 'dockerfile', splitting: 'code' },
  containerfile: { name: 'dockerfile', splitting: 'code' },
  makefile: { name: 'makefile', splitting: 'code' },
  gnumakefile: { name: 'makefile', splitting: 'code' },
  justfile: { name: 'makefile', splitting: 'code' },
  gemfile: { name: 'ruby', splitting: 'code' },
  rakefile: { name: 'ruby', splitting: 'code' },
  jenkinsfile: { name: 'groovy', splitting: 'code' },
  'cmakelists.txt': { name: 'cmake', splitting: 'code' },
};
const PLAIN: Language = { name: 'text', splitting: 'text' };

const BY_ENDING = new Map<string, Language>([
  ...entriesOf(CODE, 'code'),
  ...entriesOf(TEXT, 'text'),
  ...entriesOf({ markdown: MARKDOWN }, 'markdown'),
  ...entriesOf({ restructuredtext: 'rst' }, 'rst'),
  ...entriesOf({ jupyter: 'ipynb' }, 'notebook'),
]);

function entriesOf(endings: Readonly<Record<string, string>>, splitting: Splitting): [string, Language][] {
  return Object.entries(endings).flatMap(([name, list]) =>
    list.split(' ').map((ending): [string, Language] => [ending, { name, splitting }]),
  );
}

/** The language of a file by its name; plain text if unknown. */
export function languageOf(path: string): Language {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const known = NAMES[name] ?? (name.startsWith('dockerfile.') ? NAMES['dockerfile'] : undefined);
  return known ?? BY_ENDING.get(name.slice(name.lastIndexOf('.') + 1)) ?? PLAIN;
}
