// Cline on the command line, from the folder where npm put it. Checked with 3.0.65. Lore writes no hooks for it: a prompt gets no context.
import { join } from 'node:path';

export const cline = {
  name: 'cline',
  title: 'Cline',
  env: { DO_NOT_TRACK: '1', NO_COLOR: '1' },
  files: {},
  program: (folder) => [process.execPath, join(folder, 'node_modules/cline/bin/cline')],
  async prepare({ run, model }, [command, ...args] = []) {
    if (command !== undefined) await run(command, [...args, 'auth', '-p', 'openai', '-k', 'x', '-m', 'scripted', '-b', `${model.url}/v1`]);
  },
  tool: (name) => `lore__${name}`,
  shell: (command) => ({ call: 'run_commands', input: { commands: [command] } }),
  // It has no list of servers; what it offers its model says it.
  async servers(place, program) {
    await cline.prepare(place, program);
    await cline.session(place, program, 'Hello.');
    const offered = place.model.requests.flatMap(({ body }) => (body.tools ?? []).map((tool) => tool.function?.name));
    place.model.reset();
    return { out: offered.join(' '), isConnected: offered.includes('lore__memory_save') };
  },
  session: async ({ run }, [command, ...args], prompt) => {
    const ran = await run(command, [...args, '--auto-approve', 'true', '-P', 'openai', '-m', 'scripted', prompt]);
    return { ...ran, hooks: [] };
  },
};
