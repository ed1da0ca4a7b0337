import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../helpers/folder.ts';
import { writeTinyModel } from '../helpers/tiny-model.ts';

const PROCESS = fileURLToPath(new URL('lifetime-process.mjs', import.meta.url));
const LIMIT_MS = 120_000;

interface Seen {
  readonly resources: readonly string[];
  readonly warnings: readonly string[];
  readonly leftListening: readonly string[];
}

/** What the process told. Rejects where it does not end by itself. */
async function use(folder: string, counts: { saves: number; streams: number }, models?: string): Promise<Seen> {
  const given = [folder, String(counts.saves), String(counts.streams), ...(models === undefined ? [] : [models])];
  const { stdout } = await promisify(execFile)(process.execPath, [PROCESS, ...given], { timeout: LIMIT_MS, killSignal: 'SIGKILL' });
  return JSON.parse(stdout) as Seen;
}

/** Pipes to anyone who started the process are not of the server, nor is what `fetch` keeps for its next request. */
const own = ({ resources }: Seen): string[] => resources.filter((kind) => kind !== 'PipeWrap' && kind !== 'TTYWrap');

describe('a closed server', () => {
  it(
    'leaves no timer or handle, and no leak warning after 1,000 saves and 200 event streams',
    async () => {
      await using folder = await temporaryFolder();
      const seen = await use(folder.path, { saves: 1000, streams: 200 });
      expect(own(seen)).toEqual([]);
      expect(seen.warnings).toEqual([]);
      expect(seen.leftListening).toEqual([]);
    },
    LIMIT_MS,
  );

  it(
    'leaves no model process',
    async () => {
      await using folder = await temporaryFolder();
      await writeTinyModel(`${folder.path}/models`);
      const seen = await use(folder.path, { saves: 20, streams: 2 }, `${folder.path}/models`);
      expect(own(seen)).toEqual([]);
      expect(seen.warnings).toEqual([]);
    },
    LIMIT_MS,
  );
});
