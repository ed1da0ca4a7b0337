import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LoreError } from '../../../src/memory/errors.ts';
import { filesInZip, isZip } from '../../../src/sources/readers/zip.ts';
import { zipOf } from './zip-fixture.ts';

const MEGABYTE = 1024 * 1024;
const text = async (file: { bytes(maxBytes: number): Promise<Uint8Array> } | undefined, maxBytes = MEGABYTE): Promise<string> =>
  Buffer.from((await file?.bytes(maxBytes)) ?? []).toString();

const OWN_WORDS = /^a\.zip (?:is damaged: |is encrypted: |uses an unsupported |contains more |unpacks to )/;

async function readAll(bytes: Uint8Array): Promise<void> {
  for (const file of await filesInZip(bytes, 'a.zip')) await file.bytes(1000);
}

describe('a ZIP archive', () => {
  it('lists its files and unpacks one of them', async () => {
    const packed = zipOf({ 'a.txt': 'first', 'folder/é.txt': 'second', empty: '' });
    expect(isZip(packed)).toBe(true);
    const files = await filesInZip(packed, 'a.zip');
    expect(files.map(({ name }) => name)).toEqual(['a.txt', 'folder/é.txt', 'empty']);
    expect([await text(files[1]), await text(files[2], 0)]).toEqual(['second', '']);
  });

  it('is read inside other bytes', async () => {
    const packed = zipOf({ a: 'first' });
    const around = new Uint8Array(packed.length + 20);
    around.set(packed, 10);
    expect(await text((await filesInZip(around.subarray(10, 10 + packed.length), 'a.zip'))[0])).toBe('first');
  });

  it('is unpacked up to the limit, whatever size it states', async () => {
    for (const stated of [1, 10, 1000]) {
      const [file] = await filesInZip(zipOf({ a: 'x'.repeat(100) }, { stated }), 'a.zip');
      expect(await text(file, 100)).toBe('x'.repeat(100));
      await expect(file!.bytes(99)).rejects.toMatchObject({ code: 'too_large', message: 'a.zip unpacks to more than 0 MB (a).' });
    }
  });

  it('has at most 10,000 files', async () => {
    const files = (count: number) => zipOf(Object.fromEntries(Array.from({ length: count }, (_, nth) => [`f${nth}`, ''])));
    expect(await filesInZip(files(10_000), 'a.zip')).toHaveLength(10_000);
    await expect(filesInZip(files(10_001), 'a.zip')).rejects.toMatchObject({
      code: 'too_large',
      message: 'a.zip contains more than 10000 files.',
    });
  });

  it.each([
    ['the usual way', 1],
    ['the strong way', 0x41],
  ])('that is encrypted with %s is reported', async (_, flags) => {
    const locked = async (): Promise<unknown> => (await filesInZip(zipOf({ a: 'secret' }, { flags }), 'a.zip'))[0]?.bytes(100);
    await expect(locked()).rejects.toMatchObject({ code: 'invalid_input', message: 'a.zip is encrypted: it needs a password.' });
  });

  it('that is damaged anywhere is read, or rejected with our own message', async () => {
    const whole = zipOf({ 'word/document.xml': 'hello '.repeat(50), b: 'other' });
    const damage = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(damage, fc.nat(whole.length), fc.boolean(), async (changes, cut, isCut) => {
        const bytes = Buffer.from(whole);
        for (const [at, value] of changes) bytes[at] = value;
        const fault = await readAll(isCut ? bytes.subarray(0, cut) : bytes).catch((error: unknown) => error);
        expect(fault === undefined || (fault instanceof LoreError && OWN_WORDS.test(fault.message))).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});
