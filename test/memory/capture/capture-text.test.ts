import { describe, expect, it } from 'vitest';
import { cutText, plainText, sentencesOf, withoutEnvelopes } from '../../../src/memory/capture/capture-text.ts';

describe('plain text', () => {
  it('has no escape sequences, and of an overwritten line the last state', () => {
    expect(plainText('\u001b[32mok\u001b[0m\r\nLoading 10%\rLoading 90%\rdone\n\u001b]0;title\u0007x')).toBe('ok\ndone\nx');
  });

  it('has no invisible characters, and at most one blank line in a row', () => {
    expect(plainText('\n\na\u200b\u0000b\n\n\n\nc  \n')).toBe('ab\n\nc');
  });
});

describe('envelopes', () => {
  it('are removed from a prompt', () => {
    expect(withoutEnvelopes('Do it <system-reminder>never say this</system-reminder>now <a>b</a>')).toBe('Do it  now <a>b</a>');
    expect(withoutEnvelopes('<local-command-stdout>x</local-command-stdout>')).toBe('');
  });

  it('that are never closed stay', () => {
    const text = '<system-reminder>'.repeat(5000);
    expect(withoutEnvelopes(text)).toBe(text);
  });
});

describe('sentences', () => {
  it('are found in prose and list items, without code and quotes', () => {
    const text =
      'One is here. Two is e.g. there!\nand goes on\n\n- **Point** three\n1. Point four\n> quoted\n```\ncode. more code.\n```\nLast?';
    expect(sentencesOf(text).map((each) => each.text)).toEqual([
      'One is here.',
      'Two is e.g. there!',
      'and goes on',
      'Point three',
      'Point four',
      'Last?',
    ]);
  });

  it('do not end after a title or a day number', () => {
    const whole = ['Frau Dr. Yilmaz prüft das bis zum 24. Juni.', 'Ask Prof. Lindt.'];
    expect(sentencesOf(whole.join(' ')).map((each) => each.text)).toEqual(whole);
    expect(sentencesOf('It has 12. Next we ship.')).toHaveLength(2);
  });

  it('know their successors', () => {
    const [one, two, three] = sentencesOf('One. Two.\n\nThree.');
    expect([one!.paragraph === two!.paragraph, two!.paragraph === three!.paragraph]).toEqual([true, false]);
  });
});

it('a text is cut at a word, and never within a character', () => {
  expect(cutText('one two three', 20)).toBe('one two three');
  expect(cutText('one two three', 10)).toBe('one two…');
  expect(cutText('run `npm test` and `npm run build` then', 30)).toBe('run `npm test` and…');
  expect(cutText('🐟🐟🐟', 4).isWellFormed()).toBe(true);
  expect(cutText('x'.repeat(50), 10)).toHaveLength(10);
});
