import { describe, expect, it } from 'vitest';
import { findSecrets, redact, redactPart } from '../../../src/memory/secrets/redaction.ts';
import { word } from './samples.ts';

const TOKEN = `ghp_${word(36)}`;
const PEM = `-----BEGIN PRIVATE KEY-----\n${word(64)}\n${word(64)}\n-----END PRIVATE KEY-----`;

describe('secrets of every kind in one text', () => {
  it('are found in order, and each kind is listed once', () => {
    const text = `the wifi password is Tr0ub4dor&3, password = hunter2\npostgres://shop:hunter22@db/x ${TOKEN} ${TOKEN}\n${PEM}`;
    expect(redact(text)).toEqual({
      text: 'the wifi password is [redacted: password], password = [redacted: password]\npostgres://shop:[redacted: url-password]@db/x [redacted: github-token] [redacted: github-token]\n[redacted: private-key]',
      kinds: ['password', 'url-password', 'github-token', 'private-key'],
    });
    const starts = findSecrets(text).map(({ start }) => start);
    expect(starts).toEqual(starts.toSorted((a, b) => a - b));
  });

  it('are two if one begins where the other ends', () => {
    expect(findSecrets(PEM + PEM).map(({ start, end }) => [start, end])).toEqual([
      [0, PEM.length],
      [PEM.length, 2 * PEM.length],
    ]);
  });

  it('are one if they overlap, from the first to the last character, under the clearer name', () => {
    expect(redact(`token=${TOKEN}/more9 then`).text).toBe('token=[redacted: github-token] then');
    expect(redact(`password="x ${PEM} y"`).text).toBe('password="[redacted: private-key] y"');
  });
});

describe('a part of a text', () => {
  const text = `before ${TOKEN} after`;
  const [start, end] = [7, 7 + TOKEN.length];

  it('shows no part of a secret at its borders', () => {
    const cases: readonly [number, number, string][] = [
      [0, text.length, 'before [redacted: github-token] after'],
      [0, start + 1, 'before [redacted: github-token]'],
      [end - 1, text.length, '[redacted: github-token] after'],
      [start + 5, end - 5, '[redacted: github-token]'],
      [0, start, 'before '],
      [end, text.length, ' after'],
    ];
    for (const [from, to, expected] of cases) expect(redactPart(text, { start: from, end: to })).toBe(expected);
  });
});
