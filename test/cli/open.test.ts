import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openCliInProcess, type CliInProcess } from '../helpers/cli-in-process.ts';

let cli: CliInProcess;
beforeEach(async () => {
  cli = await openCliInProcess();
});
afterEach(() => cli[Symbol.asyncDispose]());

it('opens the page of the running server in the browser; with --print it prints the address, also of a given server', async () => {
  const { url } = await cli.serveHere();
  const [browser, visited] = [join(cli.home, 'browser.sh'), join(cli.home, 'visited')];
  await writeFile(browser, `#!/bin/sh\nprintf '%s' "$1" > '${visited}.new' && mv '${visited}.new' '${visited}'\n`);
  await chmod(browser, 0o755);
  const { code, stdout } = await cli.run(['open', '--docs'], { env: { BROWSER: browser } });
  expect({ code, stdout }).toEqual({ code: 0, stdout: `Opened ${url}/docs\n` });
  await vi.waitFor(async () => expect(await readFile(visited, 'utf8')).toBe(`${url}/docs`), { timeout: 10_000 });
  expect(await cli.process(['open'], { env: { BROWSER: 'no-such-browser', PATH: cli.home } })).toMatchObject({
    code: 2,
    stderr: `error: Cannot start a browser for ${url}/.\nhint: Open that address yourself.\n`,
  });
  expect(await cli.run(['open', '--print'])).toMatchObject({ code: 0, stdout: `${url}/\n` });
  expect((await cli.run(['open', '--print', '--json', '--url', url])).json()).toEqual({ url: `${url}/`, opened: false });
});

it('starts no server, and says how to start one', async () => {
  const { code, stdout, stderr } = await cli.run(['open']);
  expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
  expect(stderr).toMatch(/^error: No server has the store .* open\.\nhint: `lore serve` starts one\.\n$/);
  expect(await cli.run(['open', '--url', 'http://127.0.0.1:9'])).toMatchObject({ code: 4, stderr: expect.stringContaining('127.0.0.1:9') });
  expect(await cli.run(['open', '--url', 'nonsense'])).toMatchObject({ code: 5 });
});
