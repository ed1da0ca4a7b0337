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

function settingOf({ key, value, source, from, secret }: ConfigValue): Setting {
  const known = keyAt(key);
  const { description = '', unit, defaultText } = known?.meta ?? {};
  return {
    key,
    value: secret ? (isEmpty(value) ? 'not set' : 'set') : shown(value),
    source,
    ...withoutUndefined({ from }),
    secret,
    description,
    ...withoutUndefined({ unit, defaultText, environment: known?.environment }),
  };
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === '') return true;
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

function shown(value: unknown): unknown {
  if (typeof value === 'string') return withoutCredentials(value);
  return value === undefined ? null : value;
}
