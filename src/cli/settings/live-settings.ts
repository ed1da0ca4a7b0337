import { refusal } from '../../config/faults.ts';
import { keyAt, valueFromText, type ConfigKey } from '../../config/keys.ts';
import type { LoadedConfig } from '../../config/load.ts';
import { ConfigSchema, type Config } from '../../config/schema.ts';
import { changeability, settingOf, settingsReport } from '../../config/settings-report.ts';
import type { ConfigValue } from '../../config/values.ts';
import { LoreError } from '../../memory/errors.ts';
import type { ChangeSettingRequest, Setting, SettingOperations, SettingsReport } from '../../memory/operations/administration.ts';
import { setUserSetting } from './user-settings.ts';

/**
 * The settings of a running server. Those that Lore reads at each use can be changed: the user's file gets the value, and the configuration
 * in use too, in place.
 */
export class LiveSettings implements SettingOperations {
  readonly #loaded: LoadedConfig;
  readonly #values: Map<string, ConfigValue>;
  readonly #onChange: (config: Config) => void;
  #last: Promise<unknown> = Promise.resolve();

  constructor(loaded: LoadedConfig, onChange: (config: Config) => void) {
    this.#loaded = loaded;
    this.#values = new Map(loaded.values.map((value) => [value.key, value]));
    this.#onChange = onChange;
  }

  async list(): Promise<SettingsReport> {
    const { files, userFile } = this.#loaded;
    const values = [...this.#values.values()];
    const isRead = files.includes(userFile) || !values.some(({ from }) => from === userFile);
    return settingsReport({ ...this.#loaded, values, files: isRead ? files : [...files, userFile] });
  }

  /** One at a time, because each change starts from the file as the previous one left it. */
  change(request: ChangeSettingRequest): Promise<Setting> {
    const change = this.#last.then(() => this.#change(request));
    this.#last = change.catch(() => undefined);
    return change;
  }

  async #change({ key: path, value: text }: ChangeSettingRequest): Promise<Setting> {
    const key = keyAt(path);
    const now = this.#values.get(path);
    if (key === undefined || now === undefined)
      throw new LoreError('not_found', `There is no setting ${JSON.stringify(path.slice(0, 100))}.`);
    refuseUnchangeable(now);
    const { userFile, config } = this.#loaded;
    const given = text === undefined ? undefined : valueFromText(key, text);
    const value = checkedValue(key, given, config);
    await setUserSetting(userFile, key.segments, given as never);
    put(config, key.segments, value);
    const changed: ConfigValue = {
      key: path,
      value,
      secret: false,
      ...(given === undefined ? { source: 'default' } : { source: 'user file', from: userFile }),
    };
    this.#values.set(path, changed);
    this.#onChange(config);
    return settingOf(changed);
  }
}

function refuseUnchangeable(value: ConfigValue): void {
  const change = changeability(value);
  if (change === 'restart')
    throw new LoreError('conflict', `${value.key} is read when the server starts.`, {
      hint: 'Change it in the configuration file or the environment, then restart the server.',
    });
  if (change === 'elsewhere')
    throw new LoreError('conflict', `${value.key} is set by ${value.from ?? 'a flag'}, which takes precedence.`, {
      hint: 'Change it there, then restart the server.',
    });
}

/** The value in its type; undefined gives the default. Throws `invalid_input` if it is not allowed, alone or together with the others. */
function checkedValue(key: ConfigKey, given: unknown, config: Config): unknown {
  const parsed = key.schema.safeParse(given);
  if (!parsed.success) throw new LoreError('invalid_input', `${key.path} ${refusal(key)}`);
  const wanted = structuredClone(config);
  put(wanted, key.segments, parsed.data);
  const [issue] = ConfigSchema.safeParse(wanted).error?.issues ?? [];
  if (issue !== undefined) throw new LoreError('invalid_input', `${issue.path.join('.')} ${issue.message}`);
  return parsed.data;
}

function put(config: Config, segments: readonly string[], value: unknown): void {
  const section = segments.slice(0, -1).reduce<Record<string, unknown>>((inner, name) => inner[name] as Record<string, unknown>, config);
  section[segments.at(-1) ?? ''] = value;
}
