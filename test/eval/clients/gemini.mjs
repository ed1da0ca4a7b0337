// Gemini CLI, from the folder where npm put it. Checked with 0.61.0.
import { join } from 'node:path';

export const gemini = {
  name: 'gemini',
  title: 'Gemini CLI',
  env: { GEMINI_API_KEY: 'x', GEMINI_TELEMETRY_ENABLED: 'false', GEMINI_CLI_TRUST_WORKSPACE: 'true', NO_COLOR: '1' },
  files: { 'home/.gemini/GEMINI.md': '# Mine\n\nAnswer briefly.\n' },
  program: (folder) => [process.execPath, join(folder, 'node_modules/@google/gemini-cli/bundle/gemini.js')],
  async prepare({ write, env, model }) {
    env.GOOGLE_GEMINI_BASE_URL = model.url;
    const settings = {
      security: { auth: { selectedType: 'gemini-api-key' } },
      privacy: { usageStatisticsEnabled: false },
      general: { enableAutoUpdate: false },
    };
    await write('home/.gemini/settings.json', `${JSON.stringify(settings, undefined, 2)}\n`);
  },
  tool: (name) => `mcp_lore_${name}`,
  shell: (command) => ({ call: 'run_shell_command', input: { command, description: 'As asked.' } }),
  async servers({ run }, [command, ...args]) {
    const { out, err } = await run(command, [...args, 'mcp', 'list']);
    return { out: out + err, isConnected: /lore:.*Connected/.test(out + err) };
  },
  session: async ({ run }, [command, ...args], prompt) => {
    const ran = await run(command, [...args, '-m', 'gemini-2.5-flash', '--yolo', '-p', prompt]);
    return { ...ran, hooks: [] };
  },
};
