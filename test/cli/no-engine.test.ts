import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openCli, type Cli } from '../helpers/cli.ts';

/** Node says that it runs on this system. */
const on = (platform: string, arch: string): { env: { NODE_OPTIONS: string } } => {
  const script = `for (const [k, value] of [['platform', '${platform}'], ['arch', '${arch}']]) Object.defineProperty(process, k, { value });`;
  return { env: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}` } };
};

describe('without a build of LanceDB', () => {
  let cli: Cli;
  beforeEach(async () => {
    cli = await openCli();
  });
  afterEach(() => cli[Symbol.asyncDispose]());

  it('a command says that there is no build for macOS on Intel, and what to do', async () => {
    const { code, stderr } = await cli.run(['save', 'The spare key is with Ana'], on('darwin', 'x64'));
    expect(stderr.split('\n')).toEqual([
      'error: LanceDB has no build for macOS on Intel (darwin-x64).',
      'hint: Run the server in a Linux container or on another machine, and name it with --url.',
      '',
    ]);
    expect(code).toBe(2);
  });

  it('the server reports it and ends, and doctor lists it as a finding', async () => {
    const intel = on('darwin', 'x64');
    const [server, doctor] = [await cli.run(['serve', '--port', '0'], intel), await cli.run(['doctor'], intel)];
    expect(server).toMatchObject({ code: 2, stderr: expect.stringContaining('LanceDB has no build for macOS on Intel') });
    expect(doctor).toMatchObject({ code: 1, stdout: expect.stringContaining('! LanceDB has no build for macOS on Intel') });
  });

  it('on a supported system the hint is to install the optional packages', async () => {
    const { stderr } = await cli.run(['save', 'The spare key is with Ana'], on('win32', 'arm64'));
    expect(stderr).toContain(
      'error: The build of LanceDB for win32-arm64 is not installed.\nhint: Install Lore again with its optional packages',
    );
  });
});
