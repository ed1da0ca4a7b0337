import type { Route } from './document.ts';

export interface Attempt {
  readonly route: Route;
  /** By `in` and name; an empty value is not sent. */
  readonly values: Readonly<Record<string, string>>;
  readonly body: string;
  /** Media type of the body; undefined if the route takes none. */
  readonly mediaType: string | undefined;
}

export const valueName = (place: string, name: string): string => `${place}:${name}`;

/** Path and query of the request. An empty path parameter stays as its name in braces. */
export function targetOf({ route, values }: Attempt): string {
  const query = new URLSearchParams();
  let path = route.path;
  for (const { in: place, name } of route.parameters) {
    const value = values[valueName(place, name)] ?? '';
    if (value === '') continue;
    if (place === 'path') path = path.replace(`{${name}}`, encodeURIComponent(value)).replace(`:${name}`, encodeURIComponent(value));
    if (place === 'query') query.append(name, value);
  }
  const text = query.toString();
  return text === '' ? path : `${path}?${text}`;
}

/** Headers from the form, and the media type of the body. */
export function headersOf({ route, values, mediaType, body }: Attempt): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const { in: place, name } of route.parameters) {
    const value = values[valueName(place, name)] ?? '';
    if (place === 'header' && value !== '') headers[name] = value;
  }
  if (mediaType !== undefined && body !== '') headers['content-type'] = mediaType;
  return headers;
}

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** The request as a shell command. The key is named, never shown. */
export function curlOf(attempt: Attempt, origin: string, keyed: boolean): string {
  const { route, body, mediaType } = attempt;
  const parts = [`curl ${quoted(origin + targetOf(attempt))}`];
  if (route.method !== 'get' && !(route.method === 'post' && body !== '')) parts.push(`-X ${route.method.toUpperCase()}`);
  if (keyed) parts.push(`-H "x-api-key: $LORE_KEY"`);
  for (const [name, value] of Object.entries(headersOf(attempt))) parts.push(`-H ${quoted(`${name}: ${value}`)}`);
  if (mediaType !== undefined && body !== '') parts.push(`--data-binary ${quoted(body)}`);
  return parts.join(' \\\n  ');
}
