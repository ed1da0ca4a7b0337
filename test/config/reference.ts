import { CONFIG_KEYS, type ConfigKey } from '../../src/config/keys.ts';
import { mayProjectSet } from '../../src/config/project-trust.ts';
import { ConfigSchema } from '../../src/config/schema.ts';

const SECTIONS: Readonly<Record<string, string>> = {
  server: 'Server',
  storage: 'Storage',
  embeddings: 'Embeddings',
  search: 'Search',
  capture: 'Automatic capture',
  memory: 'Memory',
  compaction: 'Compaction',
  sync: 'Sync',
  index: 'Project index',
  audit: 'Audit log',
  log: 'Log',
  version: 'File format',
};

const PROJECT_KEYS_TEXT = [
  ...CONFIG_KEYS.filter(({ path }) => mayProjectSet(path, true)).map(({ path }) => `\`${path}\``),
  '`capture.enabled` with the value `false`',
].join(', ');

const LIVE_KEYS_TEXT = CONFIG_KEYS.filter(({ meta }) => meta.live)
  .map(({ path }) => `\`${path}\``)
  .join(', ');

const INTRODUCTION = `# Configuration

This page is generated from the schema (\`src/config/schema.ts\`); a test fails when it is stale.

Every key has a default, so you need no configuration. If several places set a key, the first of these takes precedence:

1. a flag of the command, such as \`--port\`
2. an environment variable
3. the project file: \`lore.config.json\` in the working directory or the nearest folder above it ([as far as you trust it](#project-files)), or
   the file that \`--config\` or \`SERVICE_CONFIG\` names
4. the user file: \`config.json\` in the config folder of this user (Linux \`~/.config/lore\`, macOS \`~/Library/Preferences/lore\`,
   Windows \`%APPDATA%\\lore\\Config\`)
5. the default

\`lore config\` shows the active value of every key and its source. \`lore config --validate\` checks everything and reports all errors
at once. An error makes every command exit with 3; an error in an untrusted project file only affects \`lore config --validate\`.

A running server applies a change of these keys at once, if it is made on the page (Administration, Settings) or with \`POST /api/settings/change\`; both write
the user file: ${LIVE_KEYS_TEXT}. Every other change needs a restart.

Files are JSON with comments and trailing commas:

\`\`\`jsonc
{
  "version": "0.1.0",
  "server": { "port": 7007 },
  "search": { "limit": 20 }, // results of a request without a limit
}
\`\`\`

Environment variables: lists are separated by commas; maps are \`name=value,name=value\` or a JSON object; booleans are \`true\` or \`false\` (also \`1\`, \`0\`, \`yes\`, \`no\`, \`on\`, \`off\`); an empty variable
counts as not set. Three variables have no key of their own:

| Variable | Effect |
|---|---|
| \`SERVICE_PORT\` | \`server.port\`, before \`SERVICE_SERVER_PORT\` |
| \`SERVICE_API_KEY\` | An additional key with full access; turns on \`server.auth.enabled\` |
| \`SERVICE_CONFIG\` | The file to read instead of the project file |

With the provider \`openai\`, \`OPENAI_API_KEY\` is used if \`embeddings.apiKey\` is not set; with \`gemini\`, \`GEMINI_API_KEY\`. Neither is sent to an
\`embeddings.baseUrl\` that a project file sets.

## Project files

A project file may have come with a cloned repository, and must not choose where your memories are stored or sent. So Lore applies only these keys of it:
${PROJECT_KEYS_TEXT}.

Lore ignores any other key, and reports it: once on standard error, and in \`lore config\`, \`lore doctor --status\` and \`lore doctor\`. To use such a key,
put it into your user file, which applies in every folder. Or read the project file and run \`lore trust\` in its folder: then all of its keys apply. Lore stores a
hash of the path and the content in \`{data_dir}/trusted\`, so you have to trust a changed or moved file again. \`lore trust --list\` shows
every trusted file, and \`lore trust --revoke\` revokes the trust. A file that you name with \`--config\` or \`SERVICE_CONFIG\` needs no trust.

In an untrusted file, Lore ignores invalid keys with a warning and applies the rest. In a trusted file, an invalid key is an error.

## Paths

Paths in a file are relative to the folder of that file, others to the working directory; \`~\` is the home directory. \`{data_dir}\` is the data folder
of this user (Linux \`~/.local/share/lore\`, macOS \`~/Library/Application Support/lore\`, Windows \`%LOCALAPPDATA%\\lore\\Data\`).
`;

/** The configuration reference as Markdown, derived only from the schema. */
export function configReference(): string {
  const sections = Object.entries(SECTIONS).map(([name, title]) => {
    const keys = CONFIG_KEYS.filter((key) => key.segments[0] === name);
    return [`## ${title}`, '', '| Key | Environment | Allowed | Default | Meaning |', '|---|---|---|---|---|', ...keys.map(row), ''].join(
      '\n',
    );
  });
  return [INTRODUCTION, ...sections].join('\n');
}

function row(key: ConfigKey): string {
  const { meta } = key;
  const allowed = [key.allowed, meta.unit].filter((part) => part !== undefined).join(', ');
  const notes = [meta.description, meta.secret && 'Secret.', meta.advice].filter(Boolean).join(' ');
  const variable = key.environment === undefined ? 'none' : `\`${key.environment}\``;
  return `| ${[`\`${key.path}\``, variable, allowed, defaultText(key), notes].map(cell).join(' | ')} |`;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}

function defaultText({ meta, segments }: ConfigKey): string {
  if (meta.defaultText !== undefined) return meta.defaultText;
  const value = segments.reduce<unknown>((section, name) => (section as Record<string, unknown>)[name], ConfigSchema.parse({}));
  return value === undefined ? 'none' : `\`${JSON.stringify(value)}\``;
}
