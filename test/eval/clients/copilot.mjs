// Copilot on the command line with a model of one's own, from the folder where npm put it. Checked with 1.0.102 on Linux x64.
import { join } from 'node:path';

export const copilot = {
  name: 'copilot',
  title: 'Copilot CLI',
  env: {
    COPILOT_PROVIDER_API_KEY: 'x',
    COPILOT_MODEL: 'gpt-5.4',
    COPILOT_OFFLINE: 'true',
    COPILOT_AUTO_UPDATE: 'false',
    NO_COLOR: '1',
  },
  files: { 'home/.copilot/copilot-instructions.md': '# Mine\n\nAnswer briefly.\n' },
  program: (folder) => [join(folder, `node_modules/@github/copilot-${process.platform}-${process.arch}/copilot`)],
  prepare: async ({ env, model }) => void (env.COPILOT_PROVIDER_BASE_URL = `${model.url}/v1`),
  tool: (name) => `lore-${name}`,
  shell: (command) => ({ call: 'bash', input: { command, description: 'As asked.' } }),
  // It lists its servers without starting them.
  async servers({ run }, [command, ...args]) {
    const { out } = await run(command, [...args, 'mcp', 'list']);
    return { out, isConnected: /^\s*lore \(local\)/m.test(out) };
  },
  async session({ run }, [command, ...args], prompt) {
    const how = ['--allow-all-tools', '--trust-folder', '--disable-client-telemetry'];
    return { ...(await run(command, [...args, '-p', prompt, ...how])), hooks: [] };
  },
};
