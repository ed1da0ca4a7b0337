import { afterAll, describe, expect, it, vi } from 'vitest';

vi.stubGlobal('navigator', { userAgent: 'Mozilla/5.0 (X11; Linux x86_64)' });
afterAll(() => vi.unstubAllGlobals());
// Another file of this process may have loaded it.
vi.resetModules();
const { isKey } = await import('../../web/src/shell/keys.ts');

const NOTHING_HELD = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };
const press = (key: string, held: Partial<typeof NOTHING_HELD> = {}): KeyboardEvent => ({ key, ...NOTHING_HELD, ...held }) as KeyboardEvent;

describe('a key of the table', () => {
  it('is the same with Caps Lock', () => {
    expect(isKey(press('A', { ctrlKey: true }), 'selectAll')).toBe(true);
    expect(isKey(press('K', { ctrlKey: true }), 'commands')).toBe(true);
    expect(isKey(press('J'), 'next')).toBe(true);
  });

  it('is different with Shift if the character is different', () => {
    expect(isKey(press('A', { ctrlKey: true, shiftKey: true }), 'selectAll')).toBe(false);
    expect(isKey(press('J', { shiftKey: true }), 'next')).toBe(false);
    expect(isKey(press('?', { shiftKey: true }), 'help')).toBe(true);
    expect(isKey(press('ArrowDown', { shiftKey: true }), 'selectRange')).toBe(true);
  });
});
