/** The environment variables of a command that runs in this process. */
export interface CommandEnvironment {
  /** Returned by `process.env` while `isActive`. */
  readonly variables: NodeJS.ProcessEnv;
  isActive: boolean;
}

const KEY = Symbol.for('lore.test.command-environment');
const everywhere = globalThis as { [KEY]?: CommandEnvironment };

/**
 * Replaces `process.env`, once per process and before the first test file is loaded: it shows the environment of a command while one runs, else
 * that of the process. Modules keep the object that they find when they are loaded, which may be outside of a command. The real environment is
 * not changed, because threads of the engine may read it.
 */
export const commandEnvironment: CommandEnvironment = (everywhere[KEY] ??= install(process.env));

function install(real: NodeJS.ProcessEnv): CommandEnvironment {
  const created: CommandEnvironment = { variables: {}, isActive: false };
  const current = (): NodeJS.ProcessEnv => (created.isActive ? created.variables : real);
  process.env = new Proxy<NodeJS.ProcessEnv>(
    {},
    {
      get: (_, name) => Reflect.get(current(), name) as unknown,
      set: (_, name, value) => Reflect.set(current(), name, value),
      has: (_, name) => Reflect.has(current(), name),
      deleteProperty: (_, name) => Reflect.deleteProperty(current(), name),
      ownKeys: () => Reflect.ownKeys(current()),
      defineProperty: (_, name, descriptor) => Reflect.defineProperty(current(), name, descriptor),
      getOwnPropertyDescriptor: (_, name) => Reflect.getOwnPropertyDescriptor(current(), name),
    },
  );
  return created;
}
