import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Entry } from '../../src/memory/entry.ts';
import { openCliInProcess, type CliInProcess } from '../helpers/cli-in-process.ts';

describe('lore edit', () => {
  let cli: CliInProcess;
  let id: string;
  beforeEach(async () => {
    cli = await openCliInProcess();
    id = (await cli.run(['save', 'Deploys go out on Tuesdays'])).stdout.trim();
  });
  afterEach(() => cli[Symbol.asyncDispose]());

  /** An editor that runs a line of a shell on the file `$1`. */
  async function editor(line: string): Promise<{ env: { EDITOR: string; VISUAL: string } }> {
    const file = join(cli.home, 'editor.sh');
    await writeFile(file, `#!/bin/sh\n${line}\n`);
    await chmod(file, 0o700);
    return { env: { EDITOR: file, VISUAL: '' } };
  }

  const textOf = async (): Promise<string> => (await cli.run(['get', id, '--json'])).json<Entry>().content;

  it('saves the edited text without the newline that the editor adds', async () => {
    const edit = await cli.process(['edit', id], await editor('echo "Deploys go out on Thursdays" > "$1"'));
    expect(edit).toMatchObject({ code: 0, stdout: 'Saved.\n' });
    expect(await textOf()).toBe('Deploys go out on Thursdays');
    expect((await cli.run(['history', id, '--undo'])).code).toBe(0);
    expect(await textOf()).toBe('Deploys go out on Tuesdays');
  });

  it.each([
    ['leaves the text', 'true'],
    ['adds only a newline', 'echo >> "$1"'],
    ['empties it', ': > "$1"'],
  ])('changes nothing if the editor %s', async (_case, line) => {
    expect(await cli.process(['edit', id], await editor(line))).toMatchObject({ code: 0, stdout: 'Nothing was changed.\n' });
    expect(await textOf()).toBe('Deploys go out on Tuesdays');
  });

  it('reports a missing editor, a failed editor, and an unknown id', async () => {
    expect(await cli.run(['edit', id], { env: { EDITOR: '', VISUAL: '' } })).toMatchObject({
      code: 1,
      stderr: 'error: No editor is set.\nhint: Set EDITOR, for example EDITOR=nano.\n',
    });
    expect(await cli.process(['edit', id], await editor('exit 3'))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('The editor exited with 3'),
    });
    const other = await cli.run(['edit', '01975a3e-8a51-7c3e-9a53-0f6d2b8c4e11'], await editor('true'));
    expect(other).toMatchObject({ code: 1, stderr: expect.stringContaining('No entry has the id') });
  });

  it('keeps a concurrent change, and writes the unsaved text to a file', async () => {
    const server = await cli.serve();
    const body = JSON.stringify({ content: 'Deploys go out on Mondays' });
    const change = `curl -sf -X PATCH ${server.url}/api/${id} -H 'content-type: application/json' -d '${body}' > /dev/null`;
    const { code, stderr } = await cli.process(['edit', id], await editor(`${change}; echo Fridays > "$1"`));
    expect({ code, text: await textOf() }).toEqual({ code: 2, text: 'Deploys go out on Mondays' });
    expect(stderr).toMatch(
      /^error: The entry changed while you edited it, so your text was not saved\.\nhint: Your text is in \S+memory\.md\.\n$/,
    );
    await server.stop();
  });
});
