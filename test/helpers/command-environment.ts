/** The variables of a command that runs in this process. */
export interface CommandEnvironment {
  /** What `process.env` shows while `isActive`. */
  readonly variables: NodeJS.ProcessEnv;
  isActive: boolean;
}

const KEY = Symbol.for('lore.test.command-environment');
const everywhere = globalThis as { [KEY]?: CommandEnvironment };

/**
 * One in a process, made before the first test file is loaded. From then on `process.env` is the environment of a command while one runs, and that of the
 * process otherwise: modules keep the object they find when they are loaded, and the program may be loaded outside of a command or after it has ended. The
 * environment of the process itself stays as it is: threads of the engine may be reading it.
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
