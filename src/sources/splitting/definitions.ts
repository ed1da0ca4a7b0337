/** Patterns of lines that begin a definition, by language: where to split, and the name. Nothing is parsed. */

/** A definition that a line begins. */
interface Definition {
  readonly name: string;
  /** Whether it contains members: methods of a class, functions of a module. */
  readonly holds: boolean;
}

/** In `pattern`, group `name` is the name of the definition, `word` its keyword, if any. */
interface Rule {
  readonly pattern: RegExp;
  /** Only directly in a definition with members. */
  readonly member?: true;
}

const HOLDS =
  /^(?:class|interface|trait|impl|module|mod|namespace|object|struct|record|enum|extension|protocol|defmodule|actor|mixin|describe|suite|context|union|service|package|template|@interface|@implementation|@protocol)$/;
const MODIFIERS =
  '(?:(?:public|private|protected|internal|fileprivate|static|final|abstract|sealed|open|data|inner|partial|override|virtual|async|readonly|export|default|declare|case|mutating|lateinit|suspend|inline|operator|infix|tailrec|external|implicit|lazy|unsafe|extern|const|pub(?:\\([^)]*\\))?|native|synchronized|annotation|companion|expect|actual|base|noinline)\\s+)*';
/** Keywords before a bracket, which are not method names. */
const STATEMENT =
  '(?!(?:if|for|foreach|while|switch|catch|return|function|await|new|throw|else|do|try|using|lock|with|super|this|assert|typeof|delete|yield|when|match|guard|elif|not)\\b)';

const keyword = (words: string): Rule => ({ pattern: new RegExp(`^\\s*${MODIFIERS}(?<word>${words})\\b\\*?\\s+(?<name>[\\w$.:?!~]+)`) });
/** `name(…): Type {`, or a parameter list that continues on the next line. */
const METHOD: Rule = {
  member: true,
  pattern: new RegExp(
    `^\\s*${MODIFIERS}(?:(?:get|set|accessor)\\s+)?\\*?${STATEMENT}(?<name>#?[\\w$]+)\\s*(?:<[^()]*>)?\\s*\\((?:[^;]*\\)\\s*(?:a?sync\\*?\\s*)?(?::.*)?\\{|[^;)]*)\\s*$`,
  ),
};
/** `Type name(…)` without the semicolon of a call. */
const TYPED_METHOD: Rule = {
  pattern: new RegExp(`^\\s*${MODIFIERS}${STATEMENT}(?:[\\w:<>\\[\\],.?&*@]+\\s+)+[&*]*${STATEMENT}(?<name>[\\w:~]+)\\s*\\([^;]*$`),
};
const TEST: Rule = { pattern: /^\s*(?<word>describe|suite|context|it|test)(?:\.\w+)*\(\s*(?<quote>['"`])(?<name>.{1,120}?)\k<quote>/ };

const SCRIPT: readonly Rule[] = [
  keyword('function|class|interface|type|enum|namespace|module'),
  { pattern: /^(?:export\s+)?(?:declare\s+)?(?:const|let|var)\s+(?<name>[\w$]+)/ },
  { pattern: /^(?<name>export default)\b/ },
  {
    member: true,
    pattern:
      /^\s*(?:(?:public|private|protected|static|readonly|override)\s+)*(?<name>#?[\w$]+)\s*=\s*(?:async\s*)?(?:\([^)]*\)|\w+)\s*(?::[^=]+)?=>/,
  },
  TEST,
  METHOD,
];
const JVM: readonly Rule[] = [
  keyword('class|interface|enum|record|object|trait|struct|namespace|fun|def|typealias|extension|annotation'),
  TYPED_METHOD,
];
const SWIFT: readonly Rule[] = [
  keyword('class|struct|enum|protocol|extension|actor|func|typealias'),
  { member: true, pattern: /^\s*(?:\w+\s+)*(?<name>init|deinit|subscript)\b[?!]?\s*[({<]/ },
];
const C: readonly Rule[] = [
  keyword('class|struct|enum|union|namespace|typedef'),
  { pattern: /^\s*#\s*define\s+(?<name>\w+)\(/ },
  TYPED_METHOD,
];
const END_WORDS: readonly Rule[] = [
  keyword('class|module|def|defp|defmodule|defmacro|defmacrop|defprotocol|defimpl|struct|function|macro'),
  TEST,
];

const RULES: Readonly<Record<string, readonly Rule[]>> = {
  typescript: SCRIPT,
  javascript: SCRIPT,
  vue: SCRIPT,
  svelte: SCRIPT,
  python: [{ pattern: /^\s*(?:async\s+)?(?<word>def|class)\s+(?<name>\w+)/ }, { pattern: /^(?<name>if __name__)\b/ }],
  go: [{ pattern: /^func\s+(?:\(\s*\w*\s*\*?(?<owner>\w+)[^)]*\)\s*)?(?<name>\w+)/ }, { pattern: /^(?:type|var|const)\s+(?<name>\w+)/ }],
  rust: [
    { pattern: /^\s*(?:unsafe\s+)?(?<word>impl)\b(?:<[^{]*?>)?\s+(?<name>[^{]+?)\s*(?:where\b.*)?\{?\s*$/ },
    keyword('fn|struct|enum|trait|union|mod|type|static|const'),
    { pattern: /^\s*(?<word>macro_rules)!\s+(?<name>\w+)/ },
  ],
  java: JVM,
  kotlin: JVM,
  scala: JVM,
  groovy: JVM,
  csharp: JVM,
  dart: [keyword('class|mixin|enum|extension|typedef'), TYPED_METHOD, METHOD],
  swift: SWIFT,
  php: [keyword('class|interface|trait|enum|function|namespace')],
  ruby: END_WORDS,
  julia: END_WORDS,
  elixir: END_WORDS,
  lua: [{ pattern: /^\s*(?:local\s+)?function\s+(?<name>[\w.:]+)/ }],
  perl: [{ pattern: /^\s*(?<word>sub|package)\s+(?<name>[\w:]+)/ }],
  r: [{ pattern: /^(?<name>[\w.]+)\s*(?:<-|=)\s*function\b/ }],
  c: C,
  cpp: C,
  objectivec: [
    ...C,
    { pattern: /^\s*(?<word>@interface|@implementation|@protocol)\s+(?<name>\w+)/ },
    { pattern: /^\s*[-+]\s*\([^)]*\)\s*(?<name>\w+)/ },
  ],
  zig: [
    { pattern: /^\s*(?:pub\s+)?(?:export\s+)?(?:inline\s+)?(?:fn|const|var)\s+(?<name>\w+)/ },
    { pattern: /^\s*test\s+"(?<name>[^"]+)"/ },
  ],
  fsharp: [{ pattern: /^\s*(?<word>module|type|let(?: rec)?|member)\s+(?<name>[\w.]+)/ }],
  ocaml: [{ pattern: /^(?<word>module|type|let(?: rec)?|val)\s+(?<name>[\w.]+)/ }],
  haskell: [{ pattern: /^(?<word>data|newtype|type|class|instance|module)\s+(?<name>[\w.]+)/ }, { pattern: /^(?<name>[a-z][\w']*)\s*::/ }],
  erlang: [{ pattern: /^(?<name>[a-z]\w*)\(.*\)\s*(?:when\b.*)?->/ }],
  clojure: [{ pattern: /^\((?:def\w*-?)\s+(?:\^\S+\s+)*(?<name>[^\s()[\]]+)/ }],
  shell: [{ pattern: /^\s*(?:function\s+(?<plain>[\w:.-]+)|(?<name>[\w:.-]+)\s*\(\))/ }],
  powershell: [{ pattern: /^\s*(?<word>function|class|enum|filter)\s+(?<name>[\w:-]+)/i }],
  sql: [
    {
      pattern:
        /^\s*create\s+(?:or\s+replace\s+)?(?:\w+\s+){0,2}?(?:table|view|function|procedure|index|trigger|type|schema|policy)\s+(?:if\s+not\s+exists\s+)?(?<name>[\w."`[\]]+)/i,
    },
    { pattern: /^\s*alter\s+table\s+(?<name>[\w."`]+)/i },
  ],
  css: [
    { pattern: /^(?<name>[^\s/*}@][^{}]*?)\s*(?:\{|,)\s*$/ },
    { pattern: /^(?<name>@(?:media|keyframes|layer|supports|mixin|function|font-face|container)\b[^{]*?)\s*\{/ },
  ],
  graphql: [keyword('type|input|enum|interface|union|scalar|query|mutation|subscription|fragment|directive')],
  protobuf: [keyword('message|service|enum|rpc')],
  terraform: [{ pattern: /^(?:resource|data|module|variable|output|provider|locals|terraform|moved|check)\b\s*(?<name>[^{]*?)\s*\{/ }],
  yaml: [{ pattern: /^(?<name>[\w./-]+):(?:\s|$)/ }],
  toml: [{ pattern: /^\s*\[+(?<name>[^\]]+)\]+/ }],
  ini: [{ pattern: /^\s*\[(?<name>[^\]]+)\]/ }],
  dockerfile: [{ pattern: /^FROM\s+(?<name>\S.*?)\s*$/i }],
  makefile: [{ pattern: /^(?<name>[\w./%-]+)(?:\s+[\w./%-]+)*\s*:(?!=)/ }],
  cmake: [{ pattern: /^\s*(?:function|macro|add_executable|add_library|add_custom_target)\s*\(\s*(?<name>\S+)/i }],
  nix: [{ pattern: /^\s{0,2}(?<name>[\w.-]+)\s*=\s*(?:\{|rec\b|let\b|\w+\s*:)/ }],
};
/** Longer lines are not tested: they are hardly definitions, and matching is slow. */
const MAX_LINE_CHARS = 400;
const MAX_NAME_CHARS = 100;

/** The definition that a line begins; undefined if none. `inHolder`: directly in a class or a similar block. */
export function definitionAt(line: string, language: string, inHolder: boolean): Definition | undefined {
  if (line.length > MAX_LINE_CHARS) return undefined;
  for (const { pattern, member } of RULES[language] ?? []) {
    if (member === true && !inHolder) continue;
    const groups = pattern.exec(line)?.groups;
    if (groups === undefined) continue;
    const { name: named, plain, owner, word = '' } = groups;
    const own = (named ?? plain ?? '').trim().replace(/[:.]+$/, '');
    const name = (owner === undefined ? own : `${owner}.${own}`).slice(0, MAX_NAME_CHARS).toWellFormed();
    if (own !== '') return { name, holds: HOLDS.test(word) };
  }
  return undefined;
}
