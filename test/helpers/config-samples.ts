import type { ConfigKey } from '../../src/config/keys.ts';
import { ConfigSchema } from '../../src/config/schema.ts';

/** An allowed value of a key that differs from its default, as a variable's text and as the parsed value. `path`: for keys that are paths. */
export function sampleOf(key: ConfigKey, path: string): [text: string, value: unknown] {
  const current = key.segments.reduce<unknown>((section, name) => (section as Record<string, unknown>)[name], ConfigSchema.parse({}));
  const candidates: [string, unknown][] = [
    ['true', true],
    ['false', false],
    ['remote', 'remote'],
    ['0.25', 0.25],
    ['0.75', 0.75],
    ['60', 60],
    ['9', 9],
    ['2000', 2000],
    ['a=b,c=d', { a: 'b', c: 'd' }],
    ['10.0.0.1,10.0.0.0/8', ['10.0.0.1', '10.0.0.0/8']],
    ['https://a.example,https://b.example', ['https://a.example', 'https://b.example']],
    ['one,two', ['one', 'two']],
    ['https://a.example/', 'https://a.example/'],
    ['1 2 3 4 5', '1 2 3 4 5'],
    ...['guide', 'openai', 'vector', 'always', 'debug', 'localhost', 'lancedb', 'process'].map((word): [string, string] => [word, word]),
    [path, path],
    ['word', 'word'],
  ];
  const fitting = candidates.filter(([, value]) => key.schema.safeParse(value).success);
  const chosen = fitting.find(([, value]) => JSON.stringify(value) !== JSON.stringify(current)) ?? fitting[0];
  if (!chosen) throw new Error(`no sample for ${key.path}`);
  return key.meta.path === true ? [path, path] : chosen;
}
