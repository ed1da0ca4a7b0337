import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { ConfigKey } from '../../src/config/keys.ts';

// The keys are collected when the module is loaded: each test loads it again, so that a fault in that fails it.
beforeEach(() => {
  vi.resetModules();
});
const keys = () => import('../../src/config/keys.ts');
const keyAt = async (path: string): Promise<ConfigKey> => {
  const key = (await keys()).keyAt(path);
  if (key === undefined) throw new Error(`There is no key ${path}`);
  return key;
};
/** What the text of a variable becomes. */
const read = async (path: string, text: string): Promise<unknown> => (await keys()).valueFromText(await keyAt(path), text);

describe('a key of the schema', () => {
  it('has a path, a variable and a description at any depth', async () => {
    const key = await keyAt('server.rateLimit.requestsPerMinute');
    expect(key).toMatchObject({
      path: 'server.rateLimit.requestsPerMinute',
      segments: ['server', 'rateLimit', 'requestsPerMinute'],
      environment: 'SERVICE_SERVER_RATE_LIMIT_REQUESTS_PER_MINUTE',
      kind: 'number',
      meta: { description: expect.any(String) },
    });
    expect(key.schema.safeParse(100).success).toBe(true);
    expect(key.schema.safeParse('100').success).toBe(false);
  });

  it('is found by its path and its variable only', async () => {
    const { keyAt: at, keyOfVariable } = await keys();
    expect(keyOfVariable('SERVICE_SEARCH_LIMIT')).toBe(at('search.limit'));
    expect([at('search'), at('search.nothing'), keyOfVariable('SERVICE_SEARCH'), keyOfVariable('SEARCH_LIMIT')]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('has no variable if it names a file', async () => {
    expect((await keyAt('version')).environment).toBeUndefined();
  });

  it.each([
    ['search.limit', 'number', 'a whole number from 1 to 100'],
    ['search.vectorWeight', 'number', 'a number from 0 to 1'],
    ['capture.enabled', 'boolean', 'true or false'],
    ['capture.ignoredTools', 'list', 'a list of texts'],
    ['log.level', 'string', 'trace, debug, info, warn, error, fatal or silent'],
    ['storage.durability', 'string', 'full or process'],
    ['storage.type', 'string', 'lancedb'],
    ['embeddings.model', 'string', 'a text'],
    ['storage.path', 'string', expect.stringMatching(/./)],
    ['storage.options', 'record', expect.stringMatching(/./)],
    ['server.rateLimit.enabled', 'mixed', 'true, false or "remote"'],
  ])('%s is a %s and allows %s', async (path, kind, allowed) => {
    expect(await keyAt(path)).toMatchObject({ kind, allowed });
  });

  it('of every type is covered, and each says what it allows', async () => {
    const { CONFIG_KEYS } = await keys();
    expect(new Set(CONFIG_KEYS.map(({ kind }) => kind))).toEqual(new Set(['string', 'number', 'boolean', 'list', 'record', 'mixed']));
    for (const { path, allowed } of CONFIG_KEYS) expect([path, allowed]).toEqual([path, expect.stringMatching(/^\S.*\S$/)]);
  });
});

it('a section is a path with keys below it, or undefined', async () => {
  const { isSection } = await keys();
  expect(['', 'server', 'server.auth', 'search'].map((path) => isSection(path))).toEqual([true, true, true, true]);
  expect(['serv', 'search.limit', 'server.', 'nothing'].map((path) => isSection(path))).toEqual([false, false, false, false]);
});

describe('the text of a variable', () => {
  it.each([
    ['5', 5],
    [' 5 ', 5],
    ['-0.5', -0.5],
    ['5 GB', '5 GB'],
    ['', ''],
    [' ', ' '],
  ])('for a number: %j is %j', async (text, value) => {
    expect(await read('search.limit', text)).toBe(value);
  });

  it.each([
    ...['true', '1', 'yes', 'on', 'ON', ' true '].map((text) => [text, true] as const),
    ...['false', '0', 'no', 'off', 'No', ' off'].map((text) => [text, false] as const),
    ['maybe', 'maybe'] as const,
    ['', ''] as const,
  ])('for a switch: %j is %j', async (text, value) => {
    expect(await read('capture.enabled', text)).toBe(value);
  });

  it('for a switch with a third state is used as it is', async () => {
    expect([await read('server.rateLimit.enabled', 'remote'), await read('server.rateLimit.enabled', 'on')]).toEqual(['remote', true]);
  });

  it('for a list: its parts between commas, without white space and empty ones', async () => {
    expect(await read('capture.ignoredTools', ' Read, Bash ,, ')).toEqual(['Read', 'Bash']);
    expect(await read('capture.ignoredTools', '')).toEqual([]);
  });

  it('for a text: every character', async () => {
    expect(await read('embeddings.model', ' a, b ')).toBe(' a, b ');
  });

  it('for a record: pairs, or a JSON object', async () => {
    expect(await read('storage.options', ' region = eu-west-1 , token=a=b')).toEqual({ region: 'eu-west-1', token: 'a=b' });
    expect(await read('storage.options', ' { "region": "eu-west-1", "token": "a,b" } ')).toEqual({ region: 'eu-west-1', token: 'a,b' });
    expect(await read('storage.options', 'a={x}')).toEqual({ a: '{x}' });
    expect(await read('storage.options', '{"a"=}')).toBe('{"a"=}');
  });

  it.each(['region', 'a=1,region', '=eu-west-1', '{region}'])('for a record: %j is rejected as it is', async (text) => {
    expect(await read('storage.options', text)).toBe(text);
    expect((await keyAt('storage.options')).schema.safeParse(text).success).toBe(false);
  });
});
