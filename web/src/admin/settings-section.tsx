import { useState } from 'preact/hooks';
import { go, useAddress } from '../address.ts';
import type { Setting, SettingsAnswer } from '../api/administration.ts';
import { count, duration } from '../parts/formats.ts';
import { Icon } from '../parts/icon.tsx';
import { Words } from '../parts/words.tsx';
import { adminTexts } from './texts.ts';
import { Check } from '../parts/check.tsx';
import { Refused } from './refused.tsx';
import { Section } from './section.tsx';
import type { Overview } from './overview.ts';

const words = adminTexts.settings;
const BINARY_MB = 1024 * 1024;

/** The active settings and their sources, read-only. Settings with default values are shown on request. */
export function SettingsSection({ overview: { settings, mayAdminister } }: { overview: Overview }) {
  return (
    <Section part="settings" last>
      <p class="note">{words.lead}</p>
      {!mayAdminister && <Refused />}
      {settings !== undefined && <Settings {...settings} />}
    </Section>
  );
}

function Settings({ settings, files, warnings }: SettingsAnswer) {
  const { q } = useAddress();
  const [all, setAll] = useState(false);
  const wanted = q.trim().toLowerCase();
  const shown = settings.filter((setting) => (wanted === '' ? all || setting.source !== 'default' : textOf(setting).includes(wanted)));
  return (
    <>
      {warnings.map((warning) => (
        <div key={warning} class="banner">
          <Icon name="warn" />
          <p>{warning}</p>
        </div>
      ))}
      <div class="archivebar">
        <input
          type="search"
          class="input settings-filter"
          aria-label={words.filter}
          placeholder={words.filter}
          value={q}
          onInput={(event) => go({ q: event.currentTarget.value }, { replace: true })}
        />
        <Check label={words.all} checked={all} onChange={setAll} />
        <span class="dim small num" role="status">
          {words.shown(shown.length, settings.length)}
        </span>
      </div>
      {shown.length === 0 ? <p class="dim small">{wanted === '' ? words.allDefault : words.nothing}</p> : <Table settings={shown} />}
      <p class="dim small breaks">{files.length === 0 ? words.noFiles : `${words.files} ${files.join(', ')}`}</p>
    </>
  );
}

const textOf = ({ key, description, environment = '' }: Setting): string => `${key} ${description} ${environment}`.toLowerCase();

function Table({ settings }: { settings: readonly Setting[] }) {
  return (
    <div class="box scroll-x" tabIndex={0} role="region" aria-label={words.table}>
      <table class="table stacks settings">
        <thead>
          <tr>
            <th>{words.key}</th>
            <th>{words.value}</th>
            <th>{words.from}</th>
          </tr>
        </thead>
        <tbody>
          {settings.map((setting) => (
            <tr key={setting.key}>
              <td>
                <code>{setting.key}</code>
                <span class="dim">
                  <Words text={setting.description} />
                </span>
              </td>
              <td class="breaks">
                <Value setting={setting} />
              </td>
              <td>
                <span class={setting.source === 'default' ? 'src' : 'src src--set'} title={setting.from}>
                  {setting.source}
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Durations and sizes in readable units; other values with their own unit. */
function measured(value: unknown, unit: string | undefined): string | undefined {
  if (typeof value !== 'number' || value === 0) return undefined;
  if (unit === 'ms') return duration(value);
  return unit === 'bytes' && value % BINARY_MB === 0 ? `${count(value / BINARY_MB)} MB` : undefined;
}

function Value({ setting: { value, secret, unit, defaultText } }: { setting: Setting }) {
  if (secret) return <span class="dim">{value === 'set' ? words.secretSet : words.secretUnset}</span>;
  if (value === null) return <span class="dim">{defaultText ?? words.unset}</span>;
  if (Array.isArray(value) && value.length === 0) return <span class="dim">{words.empty}</span>;
  const said = measured(value, unit);
  if (said !== undefined) return <span title={`${JSON.stringify(value)} ${unit}`}>{said}</span>;
  const text = typeof value === 'string' ? value : Array.isArray(value) ? value.join(', ') : JSON.stringify(value);
  return (
    <>
      <code>{text}</code>
      {unit !== undefined && <span class="unit"> {unit}</span>}
    </>
  );
}
