import { once } from 'node:events';
import { access, chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Child } from '../helpers/cli.ts';
import { openCliInProcess, type CliInProcess } from '../helpers/cli-in-process.ts';

interface Announced {
  readonly url: string;
  readonly store: string;
  readonly config: string;
  readonly memories: number;
}

let cli: CliInProcess;
beforeEach(async () => {
  cli = await openCliInProcess();
});
afterEach(() => cli[Symbol.asyncDispose]());

async function demo(args: readonly string[] = [], env: Readonly<Record<string, string>> = {}): Promise<{ child: Child; said: Announced }> {
  const child = cli.spawn(['demo', '--json', ...args], { env });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  child.stdout.resume();
  return { child, said: JSON.parse(line.toString()) as Announced };
}

async function stop(child: Child, signal: NodeJS.Signals = 'SIGINT'): Promise<number | null> {
  const exit = once(child, 'exit');
  child.kill(signal);
  return ((await exit) as [number | null])[0];
}

/** A browser that notes what it is asked to show, and then does as it is told. */
async function browserThat(does: string): Promise<{ browser: string; visited: string }> {
  const [browser, visited] = [join(cli.home, 'browser.sh'), join(cli.home, 'visited')];
  await writeFile(browser, `#!/bin/sh\nprintf '%s' "$1" > '${visited}.new' && mv '${visited}.new' '${visited}'\n${does}\n`);
  await chmod(browser, 0o755);
  return { browser, visited };
}

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

describe('demo', () => {
  it('serves a store of sample memories, opens the page, leaves the files of this user alone, and removes everything on Ctrl-C', async () => {
    await writeFile(join(cli.cwd, 'lore.config.json'), '{ "storage": { "path": "./mine" }, "server": { "auth": { "enabled": true } } }');
    await mkdir(join(cli.home, '.config', 'lore'), { recursive: true });
    await writeFile(join(cli.home, '.config', 'lore', 'config.json'), 'this is no JSON');
    const { browser, visited } = await browserThat('exit 0');
    const { child, said } = await demo([], {
      BROWSER: browser,
      SERVICE_STORAGE_PATH: join(cli.home, 'mine'),
      SERVICE_API_KEY: 'secret',
    });
    expect(said.memories).toBeGreaterThanOrEqual(300);
    const found = (await (await fetch(`${said.url}/api/recall`, ask('why do we retry webhooks'))).json()) as { results: unknown[] };
    expect(found.results.length).toBeGreaterThan(0);
    const health = (await (await fetch(`${said.url}/api/health`)).json()) as object;
    expect(health).toMatchObject({ success: true, status: 'healthy' });
    await vi.waitFor(async () => expect(await readFile(visited, 'utf8')).toContain(said.url), { timeout: 10_000 });
    expect(await isThere(said.store)).toBe(true);
    expect(await stop(child)).toBe(0);
    expect(await isThere(dirname(said.store))).toBe(false);
    expect(await readdir(cli.cwd)).toEqual(['lore.config.json']);
    expect((await readdir(cli.home)).toSorted()).toEqual(['.config', 'browser.sh', 'visited']);
  });

  it('prints its address and how to stop, and continues without a browser', async () => {
    const { browser, visited } = await browserThat('exit 1');
    const child = cli.spawn(['demo'], { env: { BROWSER: browser } });
    const [out, err] = [text(child.stdout), text(child.stderr)];
    const url = await vi.waitFor(() => readFile(visited, 'utf8'), { timeout: 20_000 });
    expect((await fetch(new URL('/api/health', url))).status).toBe(200);
    expect(await stop(child, 'SIGTERM')).toBe(0);
    expect(await out).toMatch(
      /^The demo is on http:\/\/127\.0\.0\.1:\d+\nMemories +\d+, all made up\nStore +.+ \(removed at the end\)\nStop +Ctrl-C\n$/,
    );
    expect(await err).toContain('The demo has ended, and its store is removed.');
  });

  it('announces and keeps nothing if it is stopped while the store is filled', async () => {
    const child = cli.spawn(['demo', '--json', '--no-open', '--keep'], { env: { TMPDIR: cli.home } });
    const out = text(child.stdout);
    await vi.waitFor(async () => expect((await readdir(cli.home)).some((name) => name.startsWith('lore-demo-'))).toBe(true), {
      timeout: 20_000,
      interval: 5,
    });
    expect(await stop(child)).toBe(0);
    expect(await out).toBe('');
    expect((await readdir(cli.home)).filter((name) => name.startsWith('lore-demo-'))).toEqual([]);
  });

  it('keeps the store with --keep, so that it can be used again', async () => {
    const { child, said } = await demo(['--no-open', '--keep']);
    expect(await stop(child)).toBe(0);
    try {
      const list = await cli.run(['list', '--all', '--limit=1', '--json', '--config', said.config]);
      expect(list.json()).toMatchObject({ total: said.memories });
    } finally {
      await cli[Symbol.asyncDispose]();
      await rm(dirname(said.store), { recursive: true, force: true });
    }
  });

  it('rejects an invalid port', async () => {
    expect(await cli.run(['demo', '--no-open', '--port', '70000'])).toMatchObject({ code: 5 });
  });
});

const ask = (query: string): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ query }),
});
