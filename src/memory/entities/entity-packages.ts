import { kindOf } from './entity-names.ts';
import { canonicalPackage, isGoModule, isLibraryName } from './entity-package-names.ts';
import { type Claim, inOrder, matchesNearSigns, type TextPart } from './entity-text.ts';

const LONGEST_PACKAGE = 214;
/**
 * `import … from` with braces or a star, or with one name at the start of a line or statement (otherwise it may be a sentence); the calls
 * `import()` and `require()`. Bounded, so that a text full of `import` stays linear.
 */
const IMPORTED =
  /(?<![\p{L}\p{N}_.$])(?:(?:import|export)\s+(?:type\s+)?(?:[\w$]+\s*,\s*)?(?:\{[^{}'"`;]{0,1000}\}|\*(?:\s+as\s+[\w$]+)?)\s*from\s*|import\s*\(\s*|require\s*\(\s*|(import\s+(?:(?:type\s+)?[\w$]+\s+from\s*)?))(['"])([^'"\s]{1,214})\2/gu;
const LINE_OR_STATEMENT = /(?:^|[;\n])[ \t]*$/;
const INSTALLED = new RegExp(
  String.raw`(?<![\p{L}\p{N}_./-])(?:(?:npm|pnpm|yarn|bun)\s+(?:install|i|add|remove|uninstall|rm|up|upgrade|update|dlx|why)|npx|bunx|uvx|pip3?\s+(?:install|uninstall)|uv\s+(?:pip\s+install|add|remove)|dotnet\s+add\s+package|(?:poetry|cargo|flutter pub)\s+(?:add|remove)|(?:pipx|cargo|go|gem|brew|apt|apt-get)\s+install|go\s+get)((?:[ \t]+[^\s&|;#<>]+)+)`,
  'gu',
);
/** Prefilter for imports. */
const IMPORT_WORD = /import|export|require/;
const TOOL = /\b(?:p?npm|npx|yarn|bunx?|uvx?|pipx?3?|dotnet|poetry|cargo|flutter|go|gem|brew|apt(?:-get)?)\s/;
const ONE_PACKAGE_COMMAND = /^(?:npx|bunx|uvx)|\sdlx$/;
/** Flags whose value is not a package. */
const FLAG_WITH_VALUE =
  /^(?:-[CFcirtw]|--(?:features|filter|workspace|registry|requirement|constraint|index-url|extra-index-url|prefix|cwd|dir|tag|target|python|version|group|source|framework))$/;
const AT = /@/g;
const SCOPED = /(?<![\p{L}\p{N}_@/.\\$-])@[A-Za-z0-9][\w.-]*\/[A-Za-z0-9][\w.-]*(?:\/[\w.-]+)*/gu;
const VERSIONED =
  /(?<![\p{L}\p{N}_@/.\\:$-])([A-Za-z0-9][\w.-]*)@(?:[~^<>=v]{0,2}\d[\w.+-]*|latest|next|canary|beta|lts)(?![\p{L}\p{N}_@/])/gu;
const ADDRESS = /@\d+\.\d+\.\d+\.\d+$/;
/** Metrics at a rank: `recall@10`, `nDCG@5`. */
const MEASURE = /^(?:.*dcg|recall|precision|mrr|map|hits?|pass|top|acc|accuracy|success|[a-z])@\d+$/i;
/** `icon@2x` */
const PIXEL_DENSITY = /@\dx(?:\.|$)/;
const SPECIFIER = /^((?:@[\w.-]+\/)?[A-Za-z0-9][\w.-]*)(?:\[[\w,-]*\])?(?:(?:@|[=~!<>^]=?=?)\S*)?$/;
/** Names that cannot be words: in a sentence anything may follow `npm install`. */
const NO_WORD = /^[a-z0-9]+(?:-[a-z0-9]+)+$|^@/;
/** Not a path, number or flag. */
const IDENTIFIER_OR_PACKAGE = /^@?[\w.-]*[A-Za-z][\w./-]*$/;
const BUILTIN =
  /^(?:node:.*|assert|buffer|bun|child_process|cluster|console|crypto|dns|events|fs|http|http2|https|module|net|os|path|perf_hooks|process|querystring|readline|stream|test|timers|tls|tty|url|util|v8|vm|worker_threads|zlib)$/;

/** Finds packages: imported or installed ones, `@scope/name` and `name@1.2.3`. Bare words are not packages. */
export function findPackages(part: TextPart): readonly Claim[] {
  return inOrder([...imported(part), ...installed(part), ...written(part, SCOPED), ...written(part, VERSIONED)]);
}

function imported({ text }: TextPart): Claim[] {
  const claims: Claim[] = [];
  if (!IMPORT_WORD.test(text)) return claims;
  for (const { 0: whole, 1: short, 3: specifier = '', index } of text.matchAll(IMPORTED)) {
    if (short !== undefined && !LINE_OR_STATEMENT.test(text.slice(Math.max(0, index - 8), index))) continue;
    const [one = '', two = ''] = specifier.split('/');
    if (BUILTIN.test(specifier) || BUILTIN.test(one) || /^[.#~/]|^@\/|:/.test(specifier)) continue;
    const name = specifier.startsWith('@') ? `${one}/${two}` : isGoModule(specifier) ? specifier : one;
    claims.push(...claimsOf(index + whole.length - 1 - specifier.length, specifier.length, name));
  }
  return claims;
}

function installed({ text, form }: TextPart): Claim[] {
  const claims: Claim[] = [];
  if (!TOOL.test(text)) return claims;
  for (const { 0: whole, 1: rest = '', index } of text.matchAll(INSTALLED)) {
    const restAt = index + whole.length - rest.length;
    const single = ONE_PACKAGE_COMMAND.test(whole.slice(0, whole.length - rest.length));
    let isValue = false;
    for (const { 0: word, index: at } of rest.matchAll(/\S+/g)) {
      const skip = isValue || word.startsWith('-');
      isValue = FLAG_WITH_VALUE.test(word);
      if (skip) continue;
      const token = word.replace(/^["'(]+|(?<!["'),.:])["'),.:]+$/g, '');
      const name = SPECIFIER.exec(token)?.[1] ?? token.replace(/@.*$/, '');
      if (form === 'prose' && !NO_WORD.test(name)) break;
      claims.push(...claimsOf(restAt + at + word.indexOf(token), token.length, name));
      if (single) break;
    }
  }
  return claims;
}

function written({ text }: TextPart, form: RegExp): Claim[] {
  const claims: Claim[] = [];
  for (const { 0: whole, 1: versioned, index } of matchesNearSigns(text, { sign: AT, pattern: form })) {
    if (ADDRESS.test(whole) || PIXEL_DENSITY.test(whole) || MEASURE.test(whole)) continue;
    const trimmed = whole.replace(/(?<![.-])[.-]+$/, '');
    const segments = trimmed.split('/');
    const name = versioned ?? segments.slice(0, 2).join('/');
    // A file below a scope is a path, usually with an import alias.
    if (versioned === undefined && segments.length > 2 && /\.[a-z]{1,5}$/.test(trimmed)) continue;
    claims.push(...claimsOf(index, trimmed.length, name));
  }
  return claims;
}

/**
 * Claims for a package name. An identifier such as `serde_json` is a symbol, so that it is the same entity in code. Anything else is left
 * to the other finders.
 */
function claimsOf(start: number, length: number, written: string): Claim[] {
  const name = isPackageName(written) ? canonicalPackage(written) : written;
  const kind = kindOf(name);
  const isNamed = written.length <= LONGEST_PACKAGE && IDENTIFIER_OR_PACKAGE.test(written) && (kind === 'package' || kind === 'symbol');
  return isNamed ? [{ start, end: start + length, found: { name, kind } }] : [];
}

/** Whether it is written as a package and not as a symbol. */
function isPackageName(written: string): boolean {
  return kindOf(written.toLowerCase()) === 'package' && (written.includes('/') || isLibraryName(written) || !/[._]/.test(written));
}
