import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openCliInProcess, type CliInProcess } from '../helpers/cli-in-process.ts';

let cli: CliInProcess;
beforeEach(async () => {
  cli = await openCliInProcess();
});
afterEach(() => cli[Symbol.asyncDispose]());

interface Listed {
  readonly namespaces: readonly { readonly namespace: string; readonly entries: number }[];
}
const countsOf = ({ namespaces }: Listed) => Object.fromEntries(namespaces.map(({ namespace, entries }) => [namespace, entries]));

describe('the namespace commands', () => {
  it('complete a rename when the server doing it is killed', async () => {
    const served = await cli.serve();
    const lines = Array.from({ length: 4000 }, (_, nth) => JSON.stringify({ content: `Fact number ${nth}`, namespace: 'old' })).join('\n');
    await cli.run(['import', '-', '--format', 'jsonl'], { input: lines });
    const counts = async () => countsOf((await (await fetch(`${served.url}/api/namespaces`)).json()) as Listed);
    expect(await counts()).toEqual({ old: 4000 });
    const renaming = cli.run(['namespace', 'rename', 'old', 'new', '--yes']);
    while ((await counts())['new'] === undefined) await new Promise((resolve) => setImmediate(resolve));
    await served.stop('SIGKILL');
    await renaming;

    const listed = async () => countsOf((await cli.run(['namespace', 'list', '--json'])).json<Listed>());
    expect(Object.values(await listed()).reduce((sum, entries) => sum + entries, 0)).toBe(4000);
    await cli.run(['namespace', 'rename', 'old', 'new', '--yes']);
    expect(await listed()).toEqual({ new: 4000 });
  });
});
