import { Icon } from '../parts/icon.tsx';
import { resolve, type OpenApi, type Parameter, type Route } from './document.ts';
import { valueName } from './attempt.ts';
import { typeText } from './schema-tree.tsx';
import { texts } from './texts.ts';

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
export function ParameterFields({ document, route, values, onChange }: ParameterFieldsProps) {
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
              <span class="type">
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
