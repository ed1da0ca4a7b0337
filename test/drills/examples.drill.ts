import { execFileSync, spawnSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { BIN } from '../helpers/cli.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { hasCommand } from '../helpers/machine.ts';
import { parsePlist } from './property-list.ts';

const EXAMPLES = fileURLToPath(new URL('../../docs/examples/', import.meta.url));
const example = (name: string) => readFile(join(EXAMPLES, name), 'utf8');

describe('the systemd units of docs/examples', () => {
  const without = hasCommand('systemd-analyze') ? '' : ' (skipped: systemd-analyze is not installed)';

  it.skipIf(without !== '')(`pass systemd-analyze verify${without}`, async () => {
    await using folder = await temporaryFolder();
    await mkdir(join(folder.path, 'run'), { mode: 0o700 });
    for (const [name, flags] of [
      ['lore.service', []],
      ['lore-user.service', ['--user']],
    ] as const) {
      const unit = join(folder.path, name);
      // It also looks whether the program is there.
      await writeFile(unit, (await example(name)).replace('/usr/local/bin/lore', BIN));
      const env = { ...process.env, XDG_RUNTIME_DIR: join(folder.path, 'run') };
      const { status, stderr } = spawnSync('systemd-analyze', [...flags, 'verify', '--man=no', unit], { env, encoding: 'utf8' });
      expect({ status, stderr: stderr.split('\n').filter((line) => line.includes(name)) }).toEqual({ status: 0, stderr: [] });
    }
  });

  it('allow more time to stop than Lore needs, and restart only after faults', async () => {
    for (const name of ['lore.service', 'lore-user.service']) {
      const unit = await example(name);
      const value = (key: string) => new RegExp(`^${key}=(.*)$`, 'm').exec(unit)?.[1];
      expect(Number(value('TimeoutStopSec')), name).toBeGreaterThan(10);
      expect([value('Restart'), value('RestartPreventExitStatus'), value('KillMode')], name).toEqual(['on-failure', '2 3', 'mixed']);
      expect([value('UMask'), value('NoNewPrivileges')], name).toEqual(['0077', 'yes']);
    }
  });
});

describe('the property list for launchd of docs/examples', () => {
  it('is well formed and describes how to run the server', async () => {
    const list = parsePlist(await example('com.lore.server.plist'));
    expect(list).toMatchObject({
      Label: 'com.lore.server',
      ProgramArguments: ['/usr/local/bin/lore', 'serve'],
      KeepAlive: { SuccessfulExit: false },
      RunAtLoad: true,
      Umask: 0o077,
    });
    expect(list['ExitTimeOut']).toBeGreaterThan(10);
  });

  const without = hasCommand('plutil') ? '' : ' (skipped: plutil is on macOS only)';
  it.skipIf(without !== '')(`passes plutil${without}`, () => {
    expect(execFileSync('plutil', ['-lint', join(EXAMPLES, 'com.lore.server.plist')], { encoding: 'utf8' })).toContain('OK');
  });

  it('is rejected by the test parser if a tag is not closed', () => {
    expect(() => parsePlist('<plist><dict><key>a</key><string>b</dict></plist>')).toThrow('</dict> where');
  });
});
