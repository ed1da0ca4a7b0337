import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../helpers/folder.ts';
import { startTestServer } from '../helpers/server.ts';

const SUITE = fileURLToPath(new URL('../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url));
const ON_NODE_20 = fileURLToPath(new URL('../helpers/conformance-on-node-20.mjs', import.meta.url));
/** Of every revision, those that ask for no tools, resources and prompts of the suite's own. */
const GENERIC = ['tools-list', 'resources-list', 'prompts-list'];
const SCENARIOS = {
  '2025-06-18': [...GENERIC, 'server-initialize', 'ping'],
  '2025-11-25': [...GENERIC, 'server-initialize', 'ping', 'dns-rebinding-protection', 'server-sse-multiple-streams'],
  '2026-07-28': [...GENERIC, 'sep-2164-resource-not-found', 'dns-rebinding-protection', 'caching', 'http-header-validation'],
};
const cases = Object.entries(SCENARIOS).flatMap(([revision, names]) => names.map((name) => [revision, name] as const));

/** What the suite prints of one scenario. */
async function outcome(revision: string, scenario: string): Promise<string> {
  const lore = await startTestServer();
  await lore.save('The tea is in the kitchen');
  await using folder = await temporaryFolder();
  const asked = ['server', '--url', `${lore.url}/mcp`, '--spec-version', revision, '--scenario', scenario];
  const run = promisify(execFile)(process.execPath, ['--import', ON_NODE_20, SUITE, ...asked], { cwd: folder.path });
  const { stdout } = await run.catch((error: unknown) => error as { stdout: string });
  await lore.close();
  return stdout;
}

it.each(cases)('the conformance suite of %s passes: %s', async (revision, scenario) => {
  expect(await outcome(revision, scenario)).toMatch(/\b0 failed\b/);
});

it('of the 28 checks of a stateless server, the two fail that need a tool of the suite', async () => {
  const printed = await outcome('2026-07-28', 'server-stateless');
  expect(printed).toMatch(/Passed: 26\/28, 2 failed/);
  expect(printed.match(/ {2}- (?:ServerRejectsUndeclaredCapability|MissingCapabilityHttp400): /g)).toHaveLength(2);
});
