import { Paragraph } from '../parts/inline-text.tsx';
import { texts } from './texts.ts';
import { Disclosure } from './disclosure.tsx';
import { refName, resolve, type OpenApi, type Schema } from './document.ts';

interface SchemaProps {
  readonly document: OpenApi;
  readonly schema: Schema;
  /** References on the path to here: a repeated one is named, not expanded. */
  readonly above?: readonly string[];
}

/** A schema in a few words: `string[]`, `integer`, `Entry`, `"low" | "high"`. */
export function typeText(document: OpenApi, reference: Schema): string {
  const schema = resolve(document, reference);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (reference.$ref !== undefined) return refName(reference.$ref);
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices !== undefined) return [...new Set(choices.map((choice) => typeText(document, choice)))].join(' | ');
  if (schema.allOf !== undefined) return schema.allOf.map((part) => typeText(document, part)).join(' & ');
  const type = typeof schema.type === 'string' ? schema.type : (schema.type?.join(' | ') ?? 'any');
  if (type !== 'array') return schema.format === undefined ? type : `${type} (${schema.format})`;
  const item = schema.items === undefined ? 'any' : typeText(document, schema.items);
  return item.includes(' ') ? `(${item})[]` : `${item}[]`;
}

export function limitsText(schema: Schema): string {
  const { limits } = texts;
  const said = [
    schema.minimum !== undefined && schema.minimum > Number.MIN_SAFE_INTEGER ? limits.least(schema.minimum) : '',
    schema.maximum !== undefined && schema.maximum < Number.MAX_SAFE_INTEGER ? limits.most(schema.maximum) : '',
    schema.minLength === undefined ? '' : limits.shortest(schema.minLength),
    schema.maxLength === undefined ? '' : limits.longest(schema.maxLength),
    schema.minItems === undefined ? '' : limits.fewest(schema.minItems),
    schema.maxItems === undefined ? '' : limits.mostItems(schema.maxItems),
    schema.default === undefined ? '' : limits.byDefault(JSON.stringify(schema.default)),
  ];
  return said.filter((part) => part !== '').join(', ');
}

/** The schemas whose properties are shown as part of this one: its parts and its items. */
function opened(document: OpenApi, reference: Schema): readonly Schema[] {
  const schema = resolve(document, reference);
  const choices = choicesOf(document, schema);
  const parts = [...(schema.allOf ?? []), ...(choices.length === 1 ? choices : [])];
  if (schema.items !== undefined) parts.push(schema.items);
  if (typeof schema.additionalProperties === 'object') parts.push(schema.additionalProperties);
  return parts;
}

/** The alternatives of a schema that have properties; `null` and strings have none. */
const choicesOf = (document: OpenApi, schema: Schema): readonly Schema[] =>
  [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])].filter((choice) => hasShape(document, choice));

export function SchemaTree({ document, schema: reference, above = [] }: SchemaProps) {
  if (reference.$ref !== undefined && above.includes(reference.$ref)) return <p class="hint">{texts.seeAbove(refName(reference.$ref))}</p>;
  const path = reference.$ref === undefined ? above : [...above, reference.$ref];
  const schema = resolve(document, reference);
  const properties = Object.entries(schema.properties ?? {});
  return (
    <>
      {properties.length > 0 && (
        <ul class="props">
          {properties.map(([name, property]) => (
            <Property
              key={name}
              document={document}
              name={name}
              schema={property}
              required={schema.required?.includes(name) ?? false}
              above={path}
            />
          ))}
        </ul>
      )}
      {opened(document, schema).map((part, index) => (
        <SchemaTree key={index} document={document} schema={part} above={path} />
      ))}
      <Choices document={document} schema={schema} above={path} />
    </>
  );
}

/** Alternatives of a schema, numbered, the first one open. */
function Choices({ document, schema, above }: Required<SchemaProps>) {
  const choices = choicesOf(document, schema);
  if (choices.length < 2) return null;
  return (
    <>
      {choices.map((choice, index) => (
        <Disclosure
          key={index}
          class="choice"
          open={index === 0}
          summary={<summary class="hint">{texts.choice(index + 1, choices.length, choice.title ?? typeText(document, choice))}</summary>}
        >
          {() => <SchemaTree document={document} schema={choice} above={above} />}
        </Disclosure>
      ))}
    </>
  );
}

interface PropertyProps extends Required<SchemaProps> {
  readonly name: string;
  readonly required: boolean;
}

function hasMore(document: OpenApi, reference: Schema): boolean {
  const schema = resolve(document, reference);
  return (
    Object.keys(schema.properties ?? {}).length > 0 ||
    [...opened(document, schema), ...choicesOf(document, schema)].some((part) => hasShape(document, part))
  );
}

const hasShape = (document: OpenApi, reference: Schema): boolean => {
  const schema = resolve(document, reference);
  return reference.$ref !== undefined || schema.properties !== undefined || schema.items !== undefined;
};

function Property({ document, name, schema: reference, required, above }: PropertyProps) {
  const schema = resolve(document, reference);
  const description = reference.description ?? schema.description;
  const limits = limitsText(schema);
  const more = hasMore(document, reference);
  const line = (
    <>
      <code class="prop">{name}</code> <span class="hint">{typeText(document, reference)}</span>{' '}
      {required && <span class="req">{texts.required}</span>}
    </>
  );
  return (
    <li>
      {more ? (
        <Disclosure summary={<summary>{line}</summary>}>
          {() => <SchemaTree document={document} schema={reference} above={above} />}
        </Disclosure>
      ) : (
        <p>{line}</p>
      )}
      {description !== undefined && <Paragraph class="said" text={description} />}
      {limits !== '' && <p class="hint">{limits}</p>}
    </li>
  );
}
