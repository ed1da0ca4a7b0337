import { describe, expect, it } from 'vitest';
import { CONFIG_KEYS } from '../../src/config/keys.ts';
import { configReference } from './reference.ts';
import { ConfigSchema } from '../../src/config/schema.ts';

describe('the configuration reference', () => {
  it('matches docs/configuration.md', async () => {
    await expect(configReference()).toMatchFileSnapshot('../../docs/configuration.md');
  });

  it('has one row for every key, with its variable', () => {
    const page = configReference();
    for (const key of CONFIG_KEYS)
      expect(page.split(`| \`${key.path}\` | ${key.environment ? `\`${key.environment}\`` : 'none'} |`)).toHaveLength(2);
  });
});

describe('the settings schema', () => {
  it('describes every key in a sentence and refuses unknown ones', () => {
    for (const { meta, path } of CONFIG_KEYS) expect(meta.description, path).toMatch(/^[A-Z`].*\.$/);
    expect(ConfigSchema.safeParse({ server: { prot: 1 } }).success).toBe(false);
    expect(ConfigSchema.safeParse({ other: {} }).success).toBe(false);
  });

  it('gives the defaults of the specification', () => {
    expect(ConfigSchema.parse({})).toMatchObject({
      storage: { compression: false, backupInterval: 3_600_000 },
      embeddings: { batchSize: 100 },
      search: { defaultMode: 'hybrid', limit: 10, hnswMaxElements: 10_000, hnswEfConstruction: 200, hnswEf: 100 },
      capture: {
        enabled: true,
        minOutputLength: 50,
        ignoredTools: ['Read', 'Glob', 'Grep'],
        workerIntervalMs: 5000,
        dedupSimilarityThreshold: 0.95,
        sourceTag: 'auto-capture',
        maxContentLength: 4096,
      },
      memory: { deduplicationThreshold: 0.92, chunkSize: 500, chunkOverlap: 100, defaultLimit: 10, maxLimit: 100 },
      compaction: {
        enabled: true,
        schedule: '0 2 * * 0',
        ttlDays: 180,
        maxEntries: 10_000,
        removeLowImportance: true,
        lowImportanceThreshold: 0.3,
        deduplicationSimilarityThreshold: 0.95,
        archiveDays: 0,
      },
      // Files of 50 KB and more are the core of many projects (docs/adr/0044).
      index: { maxFileSizeKB: 300, maxFilesPerScan: 1000 },
      server: { cors: { enabled: true, origins: ['*'], credentials: false } },
    });
  });
});
