import { execFile } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { hookCommand, hookIn, powershellCommand } from '../../src/integrations/launcher.ts';
import { temporaryFolder } from '../helpers/folder.ts';

const NAMED = { event: 'SessionStart', client: 'claude' };

it('leaves plain paths unquoted', () => {
  const command = hookCommand({ node: '/usr/bin/node', bin: '/opt/lore/bin/run.js' }, NAMED, 'linux');
  expect(command).toBe('/usr/bin/node /opt/lore/bin/run.js hook SessionStart --client claude');
});

it('quotes paths for the shell', async () => {
  await using folder = await temporaryFolder();
  const odd = join(folder.path, 'it\'s "a" $HOME `date` \\ folder');
  await mkdir(odd);
  const bin = join(odd, 'run.js');
  await writeFile(bin, 'console.log(JSON.stringify(process.argv.slice(2)))');
  const node = join(odd, 'my node');
  await writeFile(node, `#!/bin/sh\nexec "${process.execPath}" "$@"\n`);
  await chmod(node, 0o755);
  const command = hookCommand({ node, bin }, NAMED, 'linux');
  const { stdout } = await promisify(execFile)('/bin/sh', ['-c', command]);
  expect(JSON.parse(stdout)).toEqual(['hook', 'SessionStart', '--client', 'claude']);
});

it('writes Windows paths for cmd, for sh and for PowerShell', () => {
  const launcher = { node: 'C:\\Program Files\\nodejs\\node.exe', bin: 'D:\\lore\\bin\\run.js' };
  expect(hookCommand(launcher, NAMED, 'win32')).toBe(
    '"C:/Program Files/nodejs/node.exe" D:/lore/bin/run.js hook SessionStart --client claude',
  );
  expect(powershellCommand(launcher, NAMED)).toBe(
    "& 'C:\\Program Files\\nodejs\\node.exe' 'D:\\lore\\bin\\run.js' hook SessionStart --client claude",
  );
});

it('recognises its own commands only', () => {
  for (const bin of ['/opt/lore/bin/run.js', '/opt/my lore/bin/run.js']) {
    expect(hookIn(hookCommand({ node: '/usr/bin/node', bin }, NAMED, 'linux'))).toEqual(NAMED);
  }
  expect(hookIn('lore hook Stop --client codex')).toEqual({ event: 'Stop', client: 'codex' });
  for (const command of ['date', 'folklore hook Stop --client codex', 'npx run.js hook', 'echo lore hook Stop --client codex; date']) {
    expect(hookIn(command)).toBeUndefined();
  }
});
