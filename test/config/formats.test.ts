import { describe, expect, it } from 'vitest';
import { isCron, isNetwork, isOrigin } from '../../src/config/formats.ts';

describe('formats', () => {
  it.each(['* * * * *', '0 2 * * 0', '*/15 0-6,22 1-31/2 12 7', ' 5 4 3 2 1 '])('%s is a schedule', (text) =>
    expect(isCron(text)).toBe(true),
  );
  it.each([
    '',
    '* * * *',
    '60 * * * *',
    '0 24 * * *',
    '0 0 0 * *',
    '0 0 * 13 *',
    '0 0 * * 8',
    '*/0 * * * *',
    '5-1 * * * *',
    '@daily',
    '1, * * * *',
  ])('%s is not a schedule', (text) => expect(isCron(text)).toBe(false));
  it.each(['10.0.0.1', '10.0.0.0/8', '::1', 'fd00::/8', '0.0.0.0/0'])('%s is a network', (text) => expect(isNetwork(text)).toBe(true));
  it.each(['proxy', '10.0.0', '10.0.0.0/33', '::/129', '10.0.0.0/', '1.1.1.1/8/8', ''])('%s is not a network', (text) =>
    expect(isNetwork(text)).toBe(false),
  );
  it.each(['*', 'https://a.example', 'http://localhost:3000', 'chrome-extension://abcdef'])('%s is an origin', (text) =>
    expect(isOrigin(text)).toBe(true),
  );
  it.each(['a.example', 'https://a.example/', 'https://a.example/path', 'https://', 'https://u@a.example', ''])(
    '%s is not an origin',
    (text) => expect(isOrigin(text)).toBe(false),
  );
});
