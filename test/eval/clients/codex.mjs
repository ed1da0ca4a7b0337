// Codex, from the folder where npm put it. Checked with 0.171.
import { join } from 'node:path';

const EVENTS =
  'SessionStart UserPromptSubmit PreToolUse PostToolUse PermissionRequest PreCompact PostCompact SubagentStart SubagentStop Stop SessionEnd';

export const codex = {
  name: 'codex',
  title: 'Codex',
  env: { MODEL_KEY: 'x' },
  files: { 'home/.codex/AGENTS.md': '# Mine\n\nAnswer briefly.\n' },
  program: (folder) => [process.execPath, join(folder, 'node_modules/@openai/codex/bin/codex.js')],
  prepare: ({ write, model, project }) =>
    write(
      'home/.codex/config.toml',
      `# Of the user.
model = "scripted"
model_provider = "scripted"
check_for_update_on_startup = false
approval_policy = "never"
sandbox_mode = "danger-full-access"

[model_providers.scripted]
name = "Scripted"
base_url = "${model.url}/v1"
env_key = "MODEL_KEY"
wire_api = "responses"

[analytics]
enabled = false

[projects."${project}"]
trust_level = "trusted"
`,
    ),
  tool: (name) => `mcp__lore.${name}`,
  shell: (command) => ({ call: 'exec_command', input: { cmd: command } }),
  async servers({ run }, [command, ...args]) {
    const { out } = await run(command, [...args, 'mcp', 'list']);
    return { out, isConnected: /^lore\b.*enabled/m.test(out) };
  },
  async install({ run }, [command, ...args], marketplace) {
    const steps = [
      ['plugin', 'marketplace', 'add', marketplace],
      ['plugin', 'add', 'lore@lore'],
    ];
    const ran = [];
    for (const step of steps) ran.push(await run(command, [...args, ...step]));
    return ran;
  },
  uninstall: ({ run }, [command, ...args]) => run(command, [...args, 'plugin', 'remove', 'lore@lore']),
  async session({ run }, [command, ...args], prompt, { resume } = {}) {
    const how = ['--json', '--dangerously-bypass-hook-trust'];
    const ran = await run(command, [...args, 'exec', ...how, ...(resume === undefined ? [] : ['resume', resume]), prompt]);
    return { ...ran, hooks: [], session: ran.out.match(/"thread_id":"([^"]+)"/)?.[1] };
  },
  record: ({ write }, file) =>
    write(
      'shop/.codex/hooks.json',
      JSON.stringify({ hooks: Object.fromEntries(EVENTS.split(' ').map((name) => [name, [recorder(file)]])) }),
    ),
};

const recorder = (file) => ({ hooks: [{ type: 'command', command: `{ cat; echo; } >> "${file}"`, timeout: 5 }] });
