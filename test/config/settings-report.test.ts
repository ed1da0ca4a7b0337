import { describe, expect, it } from 'vitest';
import { CONFIG_KEYS } from '../../src/config/keys.ts';
import { loadConfig, type LoadOptions } from '../../src/config/load.ts';
import { settingsReport } from '../../src/config/settings-report.ts';
import type { Setting } from '../../src/memory/operations/administration.ts';
import { temporaryFolder } from '../helpers/folder.ts';

const SECRET = 'sk-never-to-be-shown';

async function report(options: LoadOptions): Promise<{ text: string; of: (key: string) => Setting | undefined; keys: string[] }> {
  await using folder = await temporaryFolder();
  const loaded = loadConfig({ cwd: folder.path, directories: { data: folder.path, config: folder.path }, env: {}, ...options });
  const { settings } = settingsReport(loaded);
  return { text: JSON.stringify(settings), of: (key) => settings.find((one) => one.key === key), keys: settings.map(({ key }) => key) };
}

describe('the report of the settings', () => {
  it('lists every key once, with its description', async () => {
    const { keys, of } = await report({});
    expect(keys).toEqual(CONFIG_KEYS.map(({ path }) => path));
    expect(of('server.port')).toEqual({
      key: 'server.port',
      value: 7007,
      source: 'default',
      secret: false,
      description: 'TCP port; 0 uses any free port. SERVICE_PORT takes precedence over SERVICE_SERVER_PORT.',
      change: 'restart',
      allowed: 'a whole number from 0 to 65535',
      environment: 'SERVICE_SERVER_PORT',
    });
    expect(of('server.auth.enabled')).toMatchObject({ value: null, defaultText: 'true as soon as any key exists' });
    expect(of('server.requestTimeoutMs')).toMatchObject({ unit: 'ms' });
  });

  it('shows the source of each value', async () => {
    const { of } = await report({ env: { SERVICE_SEARCH_LIMIT: '20' }, flags: { 'server.port': 7100 } });
    expect(of('search.limit')).toMatchObject({ value: 20, source: 'environment', from: 'SERVICE_SEARCH_LIMIT' });
    expect(of('server.port')).toMatchObject({ value: 7100, source: 'flag' });
  });

  it('shows of secrets only whether they are set', async () => {
    const env = {
      SERVICE_API_KEY: SECRET,
      SERVICE_EMBEDDINGS_PROVIDER: 'openai',
      SERVICE_EMBEDDINGS_API_KEY: SECRET,
      SERVICE_STORAGE_OPTIONS: `secret_access_key=${SECRET}`,
    };
    const { text, of } = await report({ env });
    expect(text).not.toContain(SECRET);
    for (const key of ['server.auth.apiKeys', 'embeddings.apiKey', 'storage.options']) {
      expect(of(key)).toMatchObject({ value: 'set', secret: true, source: 'environment' });
    }
    const plain = await report({});
    for (const key of ['server.auth.apiKeys', 'embeddings.apiKey', 'storage.options']) {
      expect(plain.of(key)).toMatchObject({ value: 'not set', secret: true, source: 'default' });
    }
  });

  it('leaves out credentials in addresses', async () => {
    const { text, of } = await report({
      env: {
        SERVICE_EMBEDDINGS_PROVIDER: 'openai',
        SERVICE_EMBEDDINGS_API_KEY: SECRET,
        SERVICE_EMBEDDINGS_BASE_URL: `https://me:${SECRET}@models.example.com/v1?key=${SECRET}`,
      },
    });
    expect(text).not.toContain(SECRET);
    expect(of('embeddings.baseUrl')?.value).toBe('https://…@models.example.com/v1?…');
    expect(of('embeddings.remoteHost')?.value).toBe('https://huggingface.co/');
  });
});
