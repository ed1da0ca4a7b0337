import { useRef, useState, useEffect } from 'preact/hooks';
import { go, useAddress } from '../address.ts';
import { type Setting, type SettingsResponse, admin } from '../api/administration.ts';
import { count, duration } from '../parts/formats.ts';
import { Icon } from '../parts/icon.tsx';
import { InlineText } from '../parts/inline-text.tsx';
import { adminTexts } from './texts.ts';
import { Check } from '../parts/check.tsx';
import { TableBox } from '../parts/table-box.tsx';
import { Section, Refused } from './section.tsx';
import { Select } from '../parts/select.tsx';
import { toast, attempt } from '../parts/toasts.tsx';
import { texts } from '../texts.ts';
import { Button } from '../parts/button.tsx';
import type { Overview } from './use-overview.ts';

const words = adminTexts.settings;
const BINARY_MB = 1024 * 1024;

/** The settings in use and where they come from; those that apply at once can be changed. Those at their default are shown when asked for. */
export function SettingsSection({ overview: { settings, mayAdminister }, onChanged }: { overview: Overview; onChanged: () => void }) {
  return (
    <Section part="settings" last>
      <p class="note">{words.lead}</p>
      {!mayAdminister && <Refused />}
      {settings !== undefined && <Settings {...settings} onChanged={onChanged} />}
    </Section>
  );
}

function Settings({ settings, files, warnings, onChanged }: SettingsResponse & { onChanged: () => void }) {
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
      <div class="row row--wrap archivebar">
        <input
          type="search"
          class="input"
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
      {shown.length === 0 ? (
        <p class="dim small">{wanted === '' ? words.allDefault : words.nothing}</p>
      ) : (
        <Table settings={shown} onChanged={onChanged} />
      )}
      <p class="dim small breaks">{files.length === 0 ? words.noFiles : `${words.files} ${files.join(', ')}`}</p>
    </>
  );
}

const textOf = ({ key, description, environment = '' }: Setting): string => `${key} ${description} ${environment}`.toLowerCase();

interface TableProps {
  readonly settings: readonly Setting[];
  readonly onChanged: () => void;
}

function Table({ settings, onChanged }: TableProps) {
  return (
    <TableBox class="stacks settings" label={words.table} columns={[words.key, words.value, words.from]}>
      {settings.map((setting) => (
        <Row key={setting.key} setting={setting} onChanged={onChanged} />
      ))}
    </TableBox>
  );
}

function Row({ setting, onChanged }: { setting: Setting; onChanged: () => void }) {
  const { key, description, change, source, from } = setting;
  const [edits, setEdits] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const leave = (): void => {
    setEdits(false);
    button.current?.focus();
  };
  return (
    <tr>
      <td>
        <code>{key}</code>
        <span class="dim">
          <InlineText text={description} />
        </span>
      </td>
      <td class="breaks">
        {edits ? <ValueForm setting={setting} onLeave={leave} onChanged={onChanged} /> : <Value setting={setting} />}
        <span class="dim">{change === 'elsewhere' ? words.elsewhere(source, from) : change === 'restart' && words.restart}</span>
      </td>
      <td>
        <span class={source === 'default' ? 'tag' : 'tag tag--set'} title={from}>
          {source}
        </span>
        {change === 'now' && (
          <button
            ref={button}
            type="button"
            class="btn btn--quiet btn--sm"
            aria-expanded={edits}
            aria-label={words.changeOne(key)}
            onClick={() => setEdits(!edits)}
          >
            {words.change}
          </button>
        )}
      </td>
    </tr>
  );
}

/** Durations and sizes as people say them; anything else stays with its unit. */
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
  return (
    <>
      <code>{settingText(value)}</code>
      {unit !== undefined && <span class="hint"> {unit}</span>}
    </>
  );
}

interface ValueFormProps {
  readonly setting: Setting;
  readonly onLeave: () => void;
  readonly onChanged: () => void;
}

/** Another value for a setting, or its default. */
function ValueForm({ setting: { key, value, source, allowed, choices, unit = '' }, onLeave, onChanged }: ValueFormProps) {
  const [text, setText] = useState(settingText(value));
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector<HTMLElement>('input, select')?.focus(), []);
  const label = `${key} ${unit}`.trim();
  const put = (wanted: string | undefined): void =>
    void attempt(async () => {
      await admin.settings.change({ key, value: wanted });
      toast(wanted === undefined ? words.wasReset(key) : words.changed(key));
      onChanged();
      onLeave();
    }, words.failed);
  const save = (event: Event): void => {
    event.preventDefault();
    put(text);
  };
  return (
    <form ref={form} class="stack small-gap" onSubmit={save}>
      {choices === undefined ? (
        <input
          class="input"
          aria-label={label}
          aria-describedby={`${key}-allowed`}
          autocomplete="off"
          required={!Array.isArray(value)}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      ) : (
        <Select aria-label={label} value={text} options={choices.map((choice) => ({ value: choice, label: choice }))} onChoose={setText} />
      )}
      {choices === undefined && (
        <p class="hint" id={`${key}-allowed`}>
          {words.allowed(allowed)}
        </p>
      )}
      <div class="row row--wrap">
        <Button type="submit" look="sm" label={words.save} />
        {source !== 'default' && <Button look="quiet sm" label={words.reset} onClick={() => put(undefined)} />}
        <Button look="quiet sm" label={texts.cancel} onClick={onLeave} />
      </div>
    </form>
  );
}

/** The value of a setting as one writes it. */
function settingText(value: unknown): string {
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.join(', ') : JSON.stringify(value ?? '');
}
