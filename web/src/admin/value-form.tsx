import { useEffect, useRef, useState } from 'preact/hooks';
import { changeSetting, type Setting } from '../api/administration.ts';
import { attempt } from '../parts/attempt.ts';
import { Select } from '../parts/select.tsx';
import { toast } from '../parts/toasts.tsx';
import { texts } from '../texts.ts';
import { settingText } from './setting-text.ts';
import { adminTexts } from './texts.ts';

const words = adminTexts.settings;

interface ValueFormProps {
  readonly setting: Setting;
  readonly onLeave: () => void;
  readonly onChanged: () => void;
}

/** Another value for a setting, or its default. */
export function ValueForm({ setting: { key, value, source, allowed, choices, unit = '' }, onLeave, onChanged }: ValueFormProps) {
  const [text, setText] = useState(settingText(value));
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector<HTMLElement>('input, select')?.focus(), []);
  const label = `${key} ${unit}`.trim();
  const put = (wanted: string | undefined): void =>
    void attempt(async () => {
      await changeSetting(key, wanted);
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
        <button class="btn btn--sm">{words.save}</button>
        {source !== 'default' && (
          <button type="button" class="btn btn--sm btn--quiet" onClick={() => put(undefined)}>
            {words.reset}
          </button>
        )}
        <button type="button" class="btn btn--sm btn--quiet" onClick={onLeave}>
          {texts.cancel}
        </button>
      </div>
    </form>
  );
}
