import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

const script = new URL('../../dist/cli/server/server-lifetime.js', import.meta.url).href;

it.each([
  ['a rejection that nobody handles', "Promise.reject(new Error('lost'))"],
  ['an exception that nobody catches', "setImmediate(() => { throw new Error('lost') })"],
])('%s is logged and ends the server with exit code 1', (_case, fault) => {
  const program = `
    import { exitOnFaults } from ${JSON.stringify(script)};
    const error = ({ err }, message) => console.log(message + '|' + err.message);
    exitOnFaults({ error });
    setInterval(() => {}, 1000);
    ${fault};`;
  const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' });
  expect({ status, stdout }).toEqual({ status: 1, stdout: 'unexpected error: the server stops|lost\n' });
});
