import { describe, expect, it } from 'vitest';
import type { LoreError } from '../../../src/memory/errors.ts';
import { abilitiesOf, requireFolder } from '../../../src/store/backends/abilities.ts';

describe('the abilities of a store', () => {
  it('in a folder are those of one process with local files', () => {
    expect(abilitiesOf('/var/lib/lore')).toMatchObject({ lockFile: true, onDisk: true, copies: true, repair: true, shared: false });
    expect(() => requireFolder(abilitiesOf('/var/lib/lore'), 'copies')).not.toThrow();
  });

  it.each(['s3://bucket/prefix', 'gs://bucket', 'az://container/prefix', 'abfss://container@account.dfs.core.windows.net/prefix'])(
    'at %s are those of many servers',
    (place) => expect(abilitiesOf(place)).toMatchObject({ lockFile: false, onDisk: false, copies: false, repair: false, shared: true }),
  );

  it('in LanceDB Cloud are those of one process with a local folder and remote tables', () => {
    expect(abilitiesOf('db://team')).toMatchObject({ lockFile: true, onDisk: false, copies: false, shared: false, compaction: false });
    expect(() => requireFolder(abilitiesOf('db://team'), 'copies')).toThrow(
      'The store is in LanceDB Cloud: no location for its backups is set.',
    );
    expect(abilitiesOf('/var/lib/lore').compaction).toBe(true);
    expect(abilitiesOf('s3://bucket/prefix').compaction).toBe(true);
  });

  it('are named if an operation needs a folder, with an alternative', () => {
    const refused = (what: 'copies' | 'repair'): LoreError => {
      try {
        requireFolder(abilitiesOf('s3://bucket/prefix'), what);
      } catch (error) {
        return error as LoreError;
      }
      throw new Error('it was allowed');
    };
    expect(refused('copies')).toMatchObject({
      code: 'conflict',
      message: 'The store is on object storage: no location for its backups is set.',
      hint: expect.stringContaining('storage.backupPath') as string,
    });
    expect(refused('repair').message).toBe('The store is on object storage: Lore cannot repair its files.');
  });
});
