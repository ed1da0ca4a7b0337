import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Plugin, settings } from '@oclif/core';
import { expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

it('the committed manifest matches the commands (npm run generate updates it)', async () => {
  settings.enableAutoTranspile = false;
  const plugin = new Plugin({ root, type: 'core', ignoreManifest: true, errorOnManifestCreate: true, respectNoCacheDefault: true });
  await plugin.load();
  const committed: unknown = JSON.parse(await readFile(new URL('../../oclif.manifest.json', import.meta.url), 'utf8'));
  expect(committed).toEqual(JSON.parse(JSON.stringify(plugin.manifest)));
});

it('the manifest names every command', async () => {
  const { commands } = JSON.parse(await readFile(new URL('../../oclif.manifest.json', import.meta.url), 'utf8')) as { commands: object };
  expect(Object.keys(commands).sort()).toEqual(Object.keys(COMMANDS).sort());
});
