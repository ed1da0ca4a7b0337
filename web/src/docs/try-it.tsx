import { useMemo, useRef, useState } from 'preact/hooks';
import { ApiError } from '../api/client.ts';
import { keyring } from '../api/keyring.ts';
import { send } from '../api/request.ts';
import { count } from '../parts/formats.ts';
import { Icon } from '../parts/icon.tsx';
import { copy } from '../parts/toasts.tsx';
import { texts as shared } from '../texts.ts';
import { curlOf, headersOf, targetOf, valueName, type Attempt } from './attempt.ts';
import { mediaOf, resolve, type OpenApi, type Route, type Parameter } from './document.ts';
import { JsonText } from './json-text.tsx';
import { requiredSample } from './sample.ts';
import { texts } from './texts.ts';
import { typeText } from './schema-tree.tsx';
import { Button } from '../parts/button.tsx';

const SHOWN_CHARS = 100_000;
const STREAM_MS = 3_000;

/** Why a response is not shown completely. */
const CUT = {
  long: texts.try.cut.long(count(SHOWN_CHARS)),
  endless: texts.try.cut.endless(STREAM_MS / 1000),
} as const;

interface Answer {
  readonly status: number;
  readonly statusText: string;
  readonly tookMs: number;
  readonly text: string;
  readonly cut: keyof typeof CUT | undefined;
}

const pretty = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? ''));

/** The beginning of a response of any length; the rest is not read. */
async function beginning(response: Response): Promise<Pick<Answer, 'text' | 'cut'>> {
  if (response.body === null) return { text: '', cut: undefined };
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  // An event stream has no end: its beginning is an example.
  const isEndless = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  let cut: Answer['cut'];
  const enough = (): void => {
    cut = 'endless';
    void reader.cancel();
  };
  const timer = isEndless ? setTimeout(enough, STREAM_MS) : undefined;
  let text = '';
  try {
    while (text.length < SHOWN_CHARS) {
      const { done, value } = await reader.read();
      if (done) return { text, cut };
      text += value;
    }
    await reader.cancel();
    return { text: text.slice(0, SHOWN_CHARS), cut: 'long' };
  } finally {
    clearTimeout(timer);
  }
}

function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function useSending() {
  const [answer, setAnswer] = useState<Answer>();
  const [error, setError] = useState('');
  const [busy, setBusy] = useState(false);
  const leaving = useRef<AbortController>(undefined);
  const run = async (attempt: Attempt): Promise<void> => {
    const controller = new AbortController();
    leaving.current = controller;
    setBusy(true);
    setError('');
    setAnswer(undefined);
    const started = performance.now();
    try {
      const body = attempt.body === '' || attempt.mediaType === undefined ? {} : { body: attempt.body };
      const init = {
        method: attempt.route.method.toUpperCase(),
        headers: headersOf(attempt),
        ...body,
      };
      const response = await send(targetOf(attempt), init, { signal: controller.signal });
      const tookMs = performance.now() - started;
      const { text, cut } = await beginning(response);
      setAnswer({ status: response.status, statusText: response.statusText, tookMs, text: cut === undefined ? readable(text) : text, cut });
    } catch (failure) {
      if (!controller.signal.aborted) setError(failure instanceof ApiError ? failure.message : String(failure));
    } finally {
      setBusy(false);
    }
  };
  return { answer, error, busy, run, stop: () => leaving.current?.abort() };
}

/** A form that sends the request with the key of this tab and shows the response. */
export function TryIt({ document, route }: { document: OpenApi; route: Route }) {
  const media = useMemo(() => mediaOf(route.operation.requestBody && resolve(document, route.operation.requestBody)), [route]);
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [body, setBody] = useState(() => (media === undefined ? '' : pretty(requiredSample(document, media[1]))));
  const { answer, error, busy, run, stop } = useSending();
  const attempt: Attempt = { route, values, body, mediaType: media?.[0] };
  const curl = curlOf(attempt, location.origin, keyring.key !== undefined);
  const submit = (event: Event): void => {
    event.preventDefault();
    void run(attempt);
  };
  return (
    <form class="try" aria-label={`${texts.try.title}: ${route.method.toUpperCase()} ${route.path}`} onSubmit={submit}>
      <ParameterFields
        document={document}
        route={route}
        values={values}
        onChange={(place, name, value) => setValues({ ...values, [valueName(place, name)]: value })}
      />
      {media !== undefined && (
        <div class="field">
          <label for={`${route.id}-body`}>
            {texts.body} <span class="hint">{media[0]}</span>
          </label>
          <textarea
            id={`${route.id}-body`}
            class="input mono"
            rows={Math.min(Math.max(body.split('\n').length, 3), 16)}
            spellcheck={false}
            value={body}
            onInput={(event) => setBody(event.currentTarget.value)}
          />
        </div>
      )}
      {route.method === 'delete' && <p class="hint">{texts.try.changes}</p>}
      <div class="row row--wrap">
        <Button type="submit" look="primary" icon="play" label={busy ? texts.try.sending : texts.try.send} disabled={busy} />
        {busy && <Button label={texts.try.stop} onClick={stop} />}
        <Button look="quiet" icon="copy" label={texts.try.copyCurl} onClick={() => void copy(curl, texts.try.curlCopied)} />
      </div>
      <div aria-live="polite">
        {error !== '' && <p class="error">{error}</p>}
        {answer !== undefined && <AnswerBox answer={answer} />}
      </div>
      <pre class="code" tabIndex={0} role="region" aria-label={texts.try.curl}>
        {curl}
      </pre>
    </form>
  );
}

function AnswerBox({ answer }: { answer: Answer }) {
  const good = answer.status < 400;
  return (
    <div class="stack small-gap">
      <p class="row">
        <b class={good ? 'status' : 'status status--bad'}>
          {answer.status} {answer.statusText}
        </b>
        <span class="dim small num">{shared.ms(answer.tookMs)}</span>
      </p>
      {answer.text === '' ? <p class="hint">{texts.try.empty}</p> : <JsonText text={answer.text} label={texts.try.answer} />}
      {answer.cut !== undefined && <p class="hint">{CUT[answer.cut]}</p>}
    </div>
  );
}

interface ParameterFieldsProps {
  readonly document: OpenApi;
  readonly route: Route;
  readonly values: Readonly<Record<string, string>>;
  readonly onChange: (place: string, name: string, value: string) => void;
}

/** The allowed values of a parameter, if there are few. */
function choicesOf(document: OpenApi, { schema }: Parameter): readonly string[] {
  if (schema === undefined) return [];
  const { enum: words, type } = resolve(document, schema);
  if (type === 'boolean') return ['true', 'false'];
  return (words ?? []).map(String);
}

/** A field for every parameter of a route, required ones first. */
function ParameterFields({ document, route, values, onChange }: ParameterFieldsProps) {
  const parameters = route.parameters.filter((parameter) => parameter.in !== 'cookie');
  if (parameters.length === 0) return null;
  const ordered = parameters.toSorted((a, b) => Number(b.required ?? false) - Number(a.required ?? false));
  return (
    <div class="params">
      {ordered.map((parameter) => {
        const { in: place, name, schema, required = false } = parameter;
        const id = `${route.id}-${place}-${name}`;
        const choices = choicesOf(document, parameter);
        const value = values[valueName(place, name)] ?? '';
        const change = (event: { currentTarget: { value: string } }): void => onChange(place, name, event.currentTarget.value);
        return (
          <div key={id} class="field">
            <label for={id}>
              <code>{name}</code>{' '}
              <span class="hint">
                {texts.places[place]}
                {schema !== undefined && choices.length === 0 && `, ${typeText(document, schema)}`}
              </span>{' '}
              {required && <span class="req">{texts.required}</span>}
            </label>
            {choices.length > 0 ? (
              <span class="select">
                {' '}
                <select id={id} class="input" value={value} required={required} onChange={change}>
                  <option value="">{texts.try.notSet}</option>
                  {choices.map((choice) => (
                    <option key={choice} value={choice}>
                      {choice}
                    </option>
                  ))}
                </select>
                <Icon name="down" size="sm" />
              </span>
            ) : (
              <input id={id} class="input" value={value} required={required} autocomplete="off" spellcheck={false} onInput={change} />
            )}
          </div>
        );
      })}
    </div>
  );
}
