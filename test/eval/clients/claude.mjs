// Claude Code, from the folder where npm put it. Checked with 2.1.
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const EVENTS =
  'SessionStart UserPromptSubmit PreToolUse PostToolUse PostToolUseFailure Notification PreCompact PostCompact SubagentStart SubagentStop Stop StopFailure SessionEnd';

export const claude = {
  name: 'claude',
  title: 'Claude Code',
  env: {
    ANTHROPIC_API_KEY: 'x',
    DISABLE_TELEMETRY: '1',
    DISABLE_ERROR_REPORTING: '1',
    DISABLE_AUTOUPDATER: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  },
  /** Files that a user has before Lore comes. */
  files: {
    'home/.claude/settings.json': '{\n    "includeCoAuthoredBy": false\n}\n',
    'home/.claude/CLAUDE.md': '# Mine\n\nAnswer briefly.\n',
  },
  program(folder) {
    const platform = `${process.platform}-${process.arch}`;
    const own = join(folder, 'node_modules/@anthropic-ai', `claude-code-${platform}`, 'claude');
    return existsSync(own) ? [own] : [process.execPath, join(folder, 'node_modules/@anthropic-ai/claude-code/cli-wrapper.cjs')];
  },
  prepare: () => Promise.resolve(),
  tool: (name, way) => (way === 'plugin' ? `mcp__plugin_lore_lore__${name}` : `mcp__lore__${name}`),
  shell: (command) => ({ call: 'Bash', input: { command, description: 'runs a command' } }),
  async servers({ run }, [command, ...args]) {
    const { out } = await run(command, [...args, 'mcp', 'list']);
    return { out, isConnected: /lore: .*Connected/.test(out) };
  },
  async install({ run }, [command, ...args], marketplace) {
    const steps = [
      ['plugin', 'validate', marketplace],
      ['plugin', 'marketplace', 'add', marketplace],
      ['plugin', 'install', 'lore@lore'],
    ];
    const ran = [];
    for (const step of steps) ran.push(await run(command, [...args, ...step]));
    return ran;
  },
  uninstall: ({ run }, [command, ...args]) => run(command, [...args, 'plugin', 'uninstall', 'lore@lore']),
  /** One prompt in a process of its own. */
  async session({ run, model }, [command, ...args], prompt, { resume } = {}) {
    const hooks = [];
    const began = new Map();
    const options = [
      '--output-format',
      'stream-json',
      '--verbose',
      '--include-hook-events',
      '--allowedTools',
      'Bash,mcp__lore,mcp__plugin_lore_lore',
    ];
    const ran = await run(command, [...args, '-p', prompt, ...options, ...(resume === undefined ? [] : ['--resume', resume])], {
      env: { ANTHROPIC_BASE_URL: model.url },
      onLine: (line, at) => {
        const { subtype, hook_id: id, hook_event: event, exit_code: code, stderr } = parsed(line);
        if (subtype === 'hook_started') began.set(id, at);
        if (subtype === 'hook_response') hooks.push({ event, ms: at - began.get(id), code, stderr });
      },
    });
    const session = ran.out.match(/"session_id":"([^"]+)"/)?.[1];
    return { ...ran, hooks, session };
  },
  /** Writes down what each event brings, beside Lore's hooks. */
  record: ({ write }, file) =>
    write(
      'shop/.claude/settings.json',
      JSON.stringify({ hooks: Object.fromEntries(EVENTS.split(' ').map((name) => [name, [recorder(file)]])) }),
    ),
};

const recorder = (file) => ({ hooks: [{ type: 'command', command: `{ cat; echo; } >> "${file}"`, timeout: 5 }] });

function parsed(line) {
  try {
    return JSON.parse(line);
  } catch {
    return {};
  }
}
