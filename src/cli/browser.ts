import { LoreError } from '../memory/errors.ts';

/** Shows an address in the browser of this user. Rejects with `filesystem` where none can be started. */
export async function startBrowser(url: string): Promise<void> {
  const { default: open } = await import('open');
  await open(url).catch((cause: unknown) => {
    throw new LoreError('filesystem', `No browser could be started for ${url}.`, { cause, hint: 'Open that address yourself.' });
  });
}
