import { afterAll, describe, expect, it, vi } from 'vitest';

/** A server that refuses every upload for want of a key. */
class LockedUpload extends EventTarget {
  static sent = 0;
  readonly upload = new EventTarget();
  readonly status = 401;
  readonly responseText = '{}';
  open(): void {}
  setRequestHeader(): void {}
  abort(): void {}
  send(): void {
    LockedUpload.sent += 1;
    for (const type of ['load', 'loadend']) this.dispatchEvent(new Event(type));
  }
}

vi.stubGlobal('sessionStorage', { getItem: () => null, setItem: () => undefined });
vi.stubGlobal('XMLHttpRequest', LockedUpload);
afterAll(() => vi.unstubAllGlobals());
// Another file of this process may have loaded it.
vi.resetModules();
const { keyring } = await import('../../web/src/api/keyring.ts');
const { importFile } = await import('../../web/src/api/transfer.ts');

describe('an import cancelled while a key is requested', () => {
  it('does not start once the key is entered', async () => {
    const stopping = new AbortController();
    keyring.askWith(() => {
      stopping.abort();
      return Promise.resolve('lore_key');
    });
    const { signal } = stopping;
    const work = importFile({ file: new Blob(['{}']), dryRun: false, namespace: '', onProgress: () => undefined, signal });
    await expect(work).rejects.toMatchObject({ name: 'AbortError' });
    expect(LockedUpload.sent).toBe(1);
  });
});
