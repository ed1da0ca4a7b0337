import { isLibraryName } from './entity-package-names.ts';

/** Extensions that make any word a file. Without those that are also a method (`map`, `log`, `env`) or a domain (`io`). */
const FILE_ENDINGS = `
astro bat bazel bicep bmp cfg cjs cmake conf cpp cs csproj css csv cts cxx docx edn editorconfig ejs exe fsproj gif go gradle graphql groovy
hbs hcl hpp htm html hxx ico ini ipynb java jpeg jpg jsonc jsonl json jsonnet js jsx kt kts less libsonnet liquid lua markdown md mdc mdx
mjml mjs mkv mmd mov mp3 mp4 mts ndjson nix njk odt parquet pbxproj pdf pem php phtml plist png pptx prisma properties proto ps1 psm1 py pyi
rb rego rmd rs rst sass scala scss sh sln sql sqlite svelte svg swift tf tfstate tfvars toml ts tsv tsx ttf txt vbproj vcxproj vue wasm wav
webm webmanifest webp woff woff2 xib xls xlsx xml xsd xsl xslt yaml yml zig zsh
`;
/** Further extensions that count only after a folder. */
const ENDINGS_IN_FOLDERS = `
7z a adoc apk app asc asm awk bak bash bin bz2 c cc cer clj cmd crt csr d dart dat db deb diff dll dockerfile dtd dump dylib ear el elm env
erl ex exs fish fs fsx gem gz h hh hs i icns img inc iso jar jinja j2 key ks l lib lock log m map mk ml mm mod o out pat patch phar pid pl pm
po pot pub r raw rpm s scm service sig snap so sock socket sqlite3 srt storyboard sum sv svc swp sys tar target tcl template test tgz timer tmp
tmpl tpl v vb vhd vim war whl wsdl xcconfig xz y zip
`;
const words = (list: string): string[] => list.trim().split(/\s+/);
const STEM = String.raw`[\p{L}\p{N}\p{M}_@+~[\]().-]*[\p{L}\p{N}\p{M}_+~\])-]`;
/** In lower or upper case, never mixed. */
const KNOWN_ENDINGS: ReadonlySet<string> = new Set(words(FILE_ENDINGS).flatMap((ending) => [ending, ending.toUpperCase()]));
const WITHOUT_ENDING = new RegExp(`^${STEM}$`, 'u');
const FILE_IN_FOLDER = new RegExp(String.raw`^${STEM}\.(?:${words(FILE_ENDINGS + ENDINGS_IN_FOLDERS).join('|')})$`, 'iu');
/** Files known by their whole name. */
const NAMED_FILE =
  /^(?:(?:Docker|Container|Make|Jenkins|Proc|Gem|Rake|Vagrant|Brew|Pod|Cap|Berks|Tilt|Caddy|Pip|Earth)file(?:\.[a-z0-9]+)?|GNUmakefile|CODEOWNERS|(?:package|yarn|Cargo|poetry|Pipfile|composer|flake|Gemfile|Podfile|uv|bun|deno|mix|pubspec)\.lock|go\.(?:mod|sum|work)|authorized_keys|known_hosts)$/;
const DOT_FILE =
  /^\.(?:env(?:\.[a-z0-9]+)*|[a-z][a-z-]*(?:rc|ignore|attributes|config|keep|modules)|(?:bash|zsh)_(?:profile|history|logout)|profile|htaccess|mailmap|nvmrc|npmrc|python-version|node-version|tool-versions)(?:\.[a-z]+)?$/;
/** Sites that look like files. */
const NO_FILE = /^(?:bun\.sh|docs\.rs|brew\.sh|rustup\.rs)$/i;

const LINES = /(?::\d+)+(?:-\d+(?::\d+)?)?$|#L\d+(?:-L?\d+)?$/;
/** A path that is already canonical. */
const PLAIN_PATH = /^[\w@+~-][\w.@+~-]*(?:\/[\w@+~-][\w.@+~-]*)*$/;
const DRIVE = /^[a-z]:/;

/** A path without line numbers. */
export const withoutLine = (path: string): string => path.replace(LINES, '');

/** Whether a word without a folder is a file name. */
export function isFileName(name: string): boolean {
  if (isLibraryName(name) || NO_FILE.test(name)) return false;
  return isKnownFile(name) || NAMED_FILE.test(name) || DOT_FILE.test(name);
}

function isKnownFile(name: string): boolean {
  const dot = name.lastIndexOf('.');
  return dot > 0 && KNOWN_ENDINGS.has(name.slice(dot + 1)) && WITHOUT_ENDING.test(name.slice(0, dot));
}

/** Whether the last segment of a path is a file name. */
export function isFileInFolder(segment: string): boolean {
  return isFileName(segment) || (FILE_IN_FOLDER.test(segment) && !isLibraryName(segment));
}

/**
 * The canonical path: forward slashes, no `./`, doubled or trailing slashes and line numbers; drive letters in capitals. Keeps the two
 * leading slashes of a Windows share. Does not resolve `..` or access the file system.
 */
export function canonicalPath(written: string): string {
  if (PLAIN_PATH.test(written)) return written;
  let path = written.normalize('NFC').trim().replaceAll('\\', '/');
  let before: string;
  do {
    before = path;
    const share = path.startsWith('//') ? '/' : '';
    const joined = `${share}${path.replace(/\/(?:\.?\/)+/g, '/')}`.replace(/^(?:\.\/)+/, '');
    path = withoutLine(joined).trim();
    if (path.length > 1) path = path.replace(/\/\.?$/, '');
  } while (path !== before);
  return path.replace(DRIVE, (drive) => drive.toUpperCase());
}
