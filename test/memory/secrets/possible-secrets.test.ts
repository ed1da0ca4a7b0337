import { describe, expect, it } from 'vitest';
import { redact } from '../../../src/memory/secrets/redaction.ts';
import { mayContainSecret } from '../../../src/memory/secrets/possible-secrets.ts';
import { word } from './samples.ts';

/** Of chance: letters of both sizes, and digits. */
const CHANCE = word(30).replaceAll(/(..)(.)/g, (_, two: string, one: string) => `${two.toLowerCase()}${one.toUpperCase()}7`);

describe('an automatically captured passage', () => {
  it.each([
    ['the smtp pw is somewhere, try Kiesel-Rauch-417', 'the smtp pw is somewhere, try Kiesel-Rauch-417'],
    ['we still have tok-Birke-8841-xy in there', 'The token rotates. we still have tok-Birke-8841-xy in there'],
    ['one time code is 551 902', 'one time code is 551 902'],
    [`it is ${CHANCE}`, `it is ${CHANCE}`],
  ])('may contain a secret: %s', (passage, said) => {
    expect(mayContainSecret(passage, said)).toBe(true);
  });

  it.each([
    'The API token expires after 30 days.',
    'Passwords of pupils have at least 8 characters.',
    'The key of the cache is built in src/cache/key-v2.ts.',
    'Tokens are signed with RS256.',
    'The login moves to port 8443 on 2026-03-01.',
  ])('contains none: %s', (passage) => {
    expect(mayContainSecret(passage, passage)).toBe(false);
  });
});

describe('a key next to a key-like word', () => {
  it.each([
    `y la clave de los mapas es ${CHANCE}`,
    `${CHANCE} is the token for uploads`,
    `der Zugangsschlüssel fürs Portal, nur intern: ${CHANCE}`,
    `la clé du portail pour les essais, c'est ${CHANCE}`,
  ])('is redacted: %s', (text) => {
    expect(redact(text).text).not.toContain(CHANCE);
  });

  it('is redacted by the format of a map service', () => {
    expect(redact(`and sk.eyJ1Ijoi${word(24)}.${word(16)} works`).text).toBe('and [redacted: service-token] works');
  });
});
