import { useMemo, useState } from 'preact/hooks';
import { mediaOf, resolve, type Body, type OpenApi, type Parameter, type Route } from './document.ts';
import { JsonText } from './json-text.tsx';
import { sampleOf } from './sample.ts';
import { limitsText, SchemaTree, typeText } from './schema-tree.tsx';
import { Paragraph } from '../parts/inline-text.tsx';
import { texts } from './texts.ts';
import { TryIt } from './try-it.tsx';
import { Disclosure } from './disclosure.tsx';
import { Button } from '../parts/button.tsx';

/** A method label; the text names the method, the colour only helps. */
export const Method = ({ method, id }: { method: string; id?: string }) => (
  <span class={`method method--${method}`} id={id}>
    {method.toUpperCase()}
  </span>
);

interface RouteProps {
  readonly document: OpenApi;
  readonly route: Route;
}

/** One route: description, request, responses, and a form to try it. */
export function RouteCard({ document, route, isHidden }: RouteProps & { isHidden: boolean }) {
  const { id } = route;
  const [trying, setTrying] = useState(false);
  // Typing in the search shows and hides many routes: unchanged content is not rendered again.
  const inside = useMemo(
    () => <Inside document={document} route={route} trying={trying} onTry={() => setTrying(!trying)} />,
    [document, route, trying],
  );
  return (
    <section class="card route" id={id} aria-labelledby={`${id}-method ${id}-title`} hidden={isHidden}>
      {inside}
    </section>
  );
}

interface InsideProps extends RouteProps {
  readonly trying: boolean;
  readonly onTry: () => void;
}

function Inside({ document, route, trying, onTry }: InsideProps) {
  const { operation, method, path, id } = route;
  return (
    <>
      <header class="row row--wrap card-h">
        <Method method={method} id={`${id}-method`} />
        <h3 id={`${id}-title`}>
          <a class="under" href={`#${id}`}>
            <code>{path}</code>
          </a>
        </h3>
        {operation.deprecated === true && <span class="req">{texts.deprecated}</span>}
        <Button look="sm" icon="play" label={texts.try.title} aria-expanded={trying} aria-pressed={trying} onClick={onTry} />
      </header>
      {operation.summary !== undefined && <p>{operation.summary}</p>}
      {operation.description !== undefined && <Paragraph class="said" text={operation.description} />}
      {trying && <TryIt document={document} route={route} />}
      {route.parameters.length > 0 && <Parameters document={document} parameters={route.parameters} />}
      {operation.requestBody !== undefined && (
        <section>
          <h4 class="sec-h">{texts.body}</h4>
          <BodyParts document={document} body={resolve(document, operation.requestBody)} />
        </section>
      )}
      <Responses document={document} route={route} />
    </>
  );
}

function Parameters({ document, parameters }: { document: OpenApi; parameters: readonly Parameter[] }) {
  return (
    <section>
      <h4 class="sec-h">{texts.parameters}</h4>
      <ul class="props">
        {parameters.map(({ name, in: place, required, schema, description }) => {
          const resolved = schema === undefined ? undefined : resolve(document, schema);
          const limits = resolved === undefined ? '' : limitsText(resolved);
          const said = description ?? resolved?.description;
          return (
            <li key={`${place} ${name}`}>
              <p>
                <code class="prop">{name}</code>{' '}
                <span class="hint">
                  {texts.places[place]}
                  {schema !== undefined && `, ${typeText(document, schema)}`}
                </span>{' '}
                {required === true && <span class="req">{texts.required}</span>}
              </p>
              {said !== undefined && <Paragraph class="said" text={said} />}
              {limits !== '' && <p class="hint">{limits}</p>}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function BodyParts({ document, body }: { document: OpenApi; body: Body }) {
  const media = mediaOf(body);
  if (media === undefined) return null;
  const [type, { schema }] = media;
  const sample = sampleOf(document, media[1]);
  return (
    <div class="stack small-gap">
      <p class="hint">
        {type}
        {schema !== undefined && `, ${typeText(document, schema)}`}
      </p>
      {schema !== undefined && <SchemaTree document={document} schema={schema} />}
      {sample !== undefined && (
        <Disclosure summary={<summary class="small">{texts.example}</summary>}>
          {() => <JsonText text={typeof sample === 'string' ? sample : JSON.stringify(sample, null, 2)} label={texts.example} />}
        </Disclosure>
      )}
    </div>
  );
}

function Responses({ document, route }: RouteProps) {
  const all = Object.entries(route.operation.responses ?? {});
  const good = all.filter(([status]) => status.startsWith('2'));
  const bad = all.filter(([status]) => !status.startsWith('2'));
  if (all.length === 0) return null;
  return (
    <section>
      <h4 class="sec-h">{texts.responses}</h4>
      <ResponseList document={document} responses={good} />
      {bad.length > 0 && (
        <Disclosure class="problems" summary={<summary class="hint">{texts.problems(bad.map(([status]) => status))}</summary>}>
          {() => <ResponseList document={document} responses={bad} />}
        </Disclosure>
      )}
    </section>
  );
}

function ResponseList({ document, responses }: { document: OpenApi; responses: readonly (readonly [string, Body])[] }) {
  return (
    <ul class="lined answers">
      {responses.map(([status, reference]) => {
        const response = resolve(document, reference);
        return (
          <li key={status}>
            <Disclosure
              summary={
                <summary>
                  <span class={status.startsWith('2') ? 'status' : 'status status--off'}>{status}</span>
                  <Paragraph class="said" text={response.description ?? ''} />
                </summary>
              }
            >
              {() => <BodyParts document={document} body={response} />}
            </Disclosure>
          </li>
        );
      })}
    </ul>
  );
}
