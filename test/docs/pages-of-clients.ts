import { BIN } from '../helpers/cli.ts';
import { imported, SERVER, type Preparation } from './preparation.ts';

const hook = (event: string, payload: object) =>
  `lore hook ${event} --client claude <<'END'\n${JSON.stringify({ session_id: '0b5f3f0e', hook_event_name: event, ...payload })}\nEND`;
const bash = (command: string, stdout: string) =>
  hook('PostToolUse', { tool_name: 'Bash', tool_input: { command }, tool_response: { stdout } });

/** Pages about the client library, and about coding agents. */
export const CLIENT_PAGES: Readonly<Record<string, Preparation>> = {
  'docs/client.md': {
    start: `${SERVER} && ${imported({ content: 'We deploy with make ship; staging first.' })}`,
    given: {
      lore: "new (await import('lore/client')).LoreClient({ url: 'http://127.0.0.1:7007' })",
      id: "'01975a3e-8a51-7c3e-9a53-0f6d2b8c4e11'",
      query: "'how do we deploy?'",
      key: "''",
    },
    // The machine may be busy.
    instead: { 'timeout(500)': 'timeout(50_000)' },
    untilStopped: { 'for await (const event': ['lore save "Event $RANDOM"', '^Event'] },
    before: { 'import { loadConfig': 'systemctl --user stop lore' },
  },
  'docs/capture.md': {
    start: `git remote set-url origin https://github.com/acme/shop.git && ${SERVER}
${hook('UserPromptSubmit', { prompt: 'We decided to use Postgres instead of MySQL for orders, because the team knows it.' })}
${bash('npm test', "Error: Cannot find module 'pg'\nTests: 1 failed").replace('PostToolUse ', 'PostToolUseFailure ')}
${bash('npm install pg', 'added 14 packages in 2s')}
${bash('npm test', 'Tests: 12 passed')}
${hook('PostToolUse', { tool_name: 'Read', tool_input: { file_path: 'a.ts' }, tool_response: {} })}
until [ "$(lore list --json | jq '.entries | length')" = 3 ]; do sleep 0.3; done`,
    instead: { 'given 5 times, missed 1: late 1': '…', 'nothing to keep 2, ignored tool 1, too short 1': '…' },
    before: {
      'lore capture stats': "until lore capture stats | grep -q 'Waiting *nothing'; do sleep 0.3; done",
      'lore capture inbox': 'lore archive restore --run 45f2dd5b-5d69-486a-936b-c8db1bd5dcab',
    },
  },
  'docs/integrations.md': {
    instead: { '/usr/lib/node_modules/lore/bin/run.js': BIN, '/usr/bin/node': process.execPath },
    before: {
      'lore setup --target claude --plugin               # a': 'lore teardown --all',
      'lore setup --target claude --plugin     # w': 'lore teardown --all',
      'lore setup\n': 'lore teardown --all',
      'lore setup --target cursor\n': `lore teardown --all; mkdir -p ~/.cursor && printf '{"mcpServers":\\n}' > ~/.cursor/mcp.json`,
      'lore doctor --status': `rm ~/.cursor/mcp.json; lore setup && lore setup --target cursor && sed -i 's/"mcp"/"mcp", "--verbose"/' ~/.cursor/mcp.json`,
    },
    ends: { 'lore setup --target cursor\n': 5 },
  },
};
