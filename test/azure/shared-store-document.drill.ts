import { expect, it } from 'vitest';
import { openMachine } from '../drills/machine.ts';
import { blocksOfOperations } from '../drills/transcript.ts';
import { makeContainer } from '../helpers/azurite.ts';

const DOCUMENT = 'shared-store.md';
const THREE = ['Deploys go out on Tuesdays', 'The spare key is with Ana', 'Invoices are due in thirty days'];
const DRILLS = ['back a shared store up', 'restore a shared store', 'bring what came after the backup to the restored store'];

it('docs/shared-store.md describes backup and restore as they work', { timeout: 240_000 }, async () => {
  const [store, place] = [await makeContainer(), await makeContainer()];
  await using machine = await openMachine({
    instead: { 'az://memories/team': store.uri },
    env: {
      SERVICE_STORAGE_PATH: store.uri,
      SERVICE_STORAGE_OPTIONS: JSON.stringify(store.options),
      SERVICE_STORAGE_BACKUP_PATH: place.uri,
      SERVICE_MEMORY_NAMESPACE: 'team',
    },
  });
  const lines = THREE.map((content) => JSON.stringify({ content })).join('\n');
  expect((await machine.run(`echo '${lines}' | lore import -`)).code).toBe(0);
  const [backUp, restore, bringLater] = DRILLS;
  await machine.play(backUp!, DOCUMENT);
  await machine.run('lore save "Came after the backup"');
  await machine.play(restore!, DOCUMENT);
  const contents = async (): Promise<string[]> => {
    const { output } = await machine.run('SERVICE_STORAGE_PATH=az://memories/team-2 lore list --all --json');
    return (JSON.parse(output) as { entries: { content: string }[] }).entries.map(({ content }) => content).toSorted();
  };
  expect(await contents()).toEqual(THREE.toSorted());
  await machine.play(bringLater!, DOCUMENT);
  expect(await contents()).toEqual([...THREE, 'Came after the backup'].toSorted());
  // All that the document shows was played.
  const shown = blocksOfOperations(DOCUMENT).filter(({ language }) => language === 'console');
  expect(shown.map(({ drill }) => drill)).toEqual(DRILLS);
});
