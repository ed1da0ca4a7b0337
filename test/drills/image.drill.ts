import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { EntryPage } from '../../src/memory/operations/operations.ts';
import type { BuiltImage } from '../helpers/built-image.ts';
import { buildImage, noBuilder } from '../helpers/image-builder.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const KEY = 'k'.repeat(32);
const BUILD_MS = 900_000;
const why = noBuilder();

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

describe.skipIf(why !== undefined)(
  `the image of the Dockerfile${why === undefined ? '' : ` (skipped: ${why})`}`,
  { timeout: 120_000 },
  () => {
    let place: string;
    let image: BuiltImage;
    /** Servers that run, by their pids: a test that fails leaves its own. */
    const running = new Set<number>();
    beforeAll(() => {
      // Another file of this process may have closed new files to others: the image is run by one.
      const umask = process.umask(0o022);
      try {
        place = mkdtempSync(join(tmpdir(), 'lore-image-test-'));
        // What is committed and what is not yet, without what only this folder has: as the context of a clone.
        const context = join(place, 'context');
        mkdirSync(context);
        const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: ROOT });
        execFileSync('tar', ['--null', '--files-from=-', '--ignore-failed-read', '-cf', join(place, 'context.tar')], {
          cwd: ROOT,
          input: files,
          stdio: ['pipe', 'ignore', 'ignore'],
        });
        execFileSync('tar', ['-xf', join(place, 'context.tar'), '-C', context]);
        image = buildImage(join(context, 'docs/examples/container/Dockerfile'), context);
      } finally {
        process.umask(umask);
      }
    }, BUILD_MS);
    afterEach(() => {
      for (const pid of running) image.signal('SIGKILL', pid);
      running.clear();
    });
    afterAll(() => {
      image?.[Symbol.dispose]();
      rmSync(place, { recursive: true, force: true });
    });

    async function start() {
      const { Entrypoint, Cmd } = image.settings;
      const env = { SERVICE_API_KEY: KEY, SERVICE_SERVER_PORT: String(await freePort()) };
      const child = image.start([...Entrypoint, ...Cmd], env);
      const said = text(child.stderr);
      const [line] = (await Promise.race([once(child.stdout, 'data'), once(child, 'exit').then(async () => [await said])])) as [
        Buffer | string,
      ];
      const { pid } = JSON.parse(String(line)) as { pid: number };
      running.add(pid);
      const url = `http://127.0.0.1:${env.SERVICE_SERVER_PORT}`;
      const headers = { 'x-api-key': KEY, 'content-type': 'application/json' };
      return {
        env,
        save: (content: string) => fetch(`${url}/api/save`, { method: 'POST', headers, body: JSON.stringify({ content }) }),
        contents: async () => {
          const page = (await (await fetch(`${url}/api/list?form=reference`, { headers })).json()) as EntryPage;
          return page.entries.map(({ content }) => content);
        },
        end: async (signal: NodeJS.Signals) => {
          running.delete(pid);
          image.signal(signal, pid);
          await once(child, 'exit');
          return await said;
        },
      };
    }

    it('builds, serves as its user from its volume, stops cleanly, and starts again after a kill', async () => {
      const first = await start();
      expect((await first.save('kept in the volume of an image')).status).toBe(200);
      const log = await first.end('SIGTERM');
      for (const line of log.split('\n').filter((each) => each.startsWith('{'))) expect(JSON.parse(line)).toHaveProperty('msg');
      const second = await start();
      expect((await second.save('and a second time')).status).toBe(200);
      await second.end('SIGKILL');
      const third = await start();
      expect(await third.contents()).toEqual(['and a second time', 'kept in the volume of an image']);
      await third.end('SIGTERM');
    });

    it('passes its health check while it runs, and fails it afterwards', async () => {
      const { env, end } = await start();
      const [, ...check] = image.settings.Healthcheck.Test;
      expect(image.run(check, env)).toBe('');
      await end('SIGTERM');
      expect(() => image.run(check, env)).toThrow(/exit status 1/);
    });

    it('answers a command next to the server, and refuses to serve without a key', async () => {
      const { Entrypoint, Cmd } = image.settings;
      const { env, end } = await start();
      expect(image.run([...Entrypoint, 'save', 'by a command'], env)).toMatch(/^[0-9a-f-]{36}\n/);
      expect(image.run([...Entrypoint, 'doctor', '--status'], env)).toMatch(/^Status +healthy$/m);
      await end('SIGTERM');
      expect(() => image.run([...Entrypoint, ...Cmd])).toThrow(/exit status 3/);
    });

    it('has no development tools, and its user can change only /data', () => {
      const tools = 'ls -d /app/node_modules/vitest /app/node_modules/typescript /app/src 2>/dev/null';
      const writable = String.raw`find / -xdev -writable -user 1000 2>/dev/null | grep -v '^/\(proc\|sys\|dev\|data\|tmp\)'`;
      const found = image.run(['sh', '-c', `${tools}; ${writable}; true`]);
      expect(found).toBe('');
      expect(Object.keys(image.settings.Volumes)).toEqual(['/data']);
    });
  },
);
