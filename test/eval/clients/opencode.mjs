// OpenCode, from the folder where npm put it. Checked with 1.18.33 on Linux x64.
import { join } from 'node:path';

export const opencode = {
  name: 'opencode',
  title: 'OpenCode',
  env: {
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    OPENCODE_DISABLE_SHARE: '1',
    NO_COLOR: '1',
    // With a plugin, every start installs @opencode-ai/plugin until that worked once, and waits 75 s for the retries without a network.
    npm_config_fetch_retries: '0',
  },
  files: { 'home/.config/opencode/AGENTS.md': '# Mine\n\nAnswer briefly.\n' },
  program: (folder) => [join(folder, `node_modules/opencode-${process.platform}-${process.arch}/bin/opencode`)],
  async prepare({ write, model }) {
    const models = { scripted: { name: 'Scripted', tool_call: true, limit: { context: 100_000, output: 4_000 } } };
    const options = { baseURL: `${model.url}/v1`, apiKey: 'x' };
    const config = {
      autoupdate: false,
      share: 'disabled',
      provider: { scripted: { npm: '@ai-sdk/openai-compatible', name: 'Scripted', options, models } },
      model: 'scripted/scripted',
    };
    await write('home/.config/opencode/opencode.json', `${JSON.stringify(config, undefined, 2)}\n`);
  },
  tool: (name) => `lore_${name}`,
  shell: (command) => ({ call: 'bash', input: { command, description: 'As asked.' } }),
  async servers({ run }, [command, ...args]) {
    const { out, err } = await run(command, [...args, 'mcp', 'list']);
    return { out: out + err, isConnected: /lore\b.*connected/.test(out + err) };
  },
  session: async ({ run }, [command, ...args], prompt) => ({ ...(await run(command, [...args, 'run', prompt])), hooks: [] }),
};
