import type { Setting, SettingsReport } from '../memory/operations/administration.ts';
import { withoutCredentials } from '../memory/store-address.ts';
import { keyAt } from './keys.ts';
import type { LoadedConfig } from './load.ts';
import type { ConfigValue } from './values.ts';
import { withoutUndefined } from '../memory/without-undefined.ts';

/** The active configuration for administrators; secrets show only whether they are set. */
export function settingsReport({ values, files, warnings }: Pick<LoadedConfig, 'values' | 'files' | 'warnings'>): SettingsReport {
  return { settings: values.map(settingOf), files, warnings };
}

export function settingOf(active: ConfigValue): Setting {
  const { key, value, source, from, secret } = active;
  const known = keyAt(key);
  const { description = '', unit, defaultText } = known?.meta ?? {};
  return {
    key,
    value: secret ? (isEmpty(value) ? 'not set' : 'set') : shown(value),
    source,
    ...withoutUndefined({ from }),
    secret,
    description,
    change: changeability(active),
    allowed: known?.allowed ?? '',
    ...withoutUndefined({ choices: known?.choices, unit, defaultText, environment: known?.environment }),
  };
}

/** Whether a running server can change a setting: it must read it at each use, and no stronger source than the user's file may set it. */
export function changeability({ key, source }: ConfigValue): Setting['change'] {
  if (source !== 'default' && source !== 'user file') return 'elsewhere';
  return keyAt(key)?.meta.live === true ? 'now' : 'restart';
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === '') return true;
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

function shown(value: unknown): unknown {
  if (typeof value === 'string') return withoutCredentials(value);
  return value === undefined ? null : value;
}
