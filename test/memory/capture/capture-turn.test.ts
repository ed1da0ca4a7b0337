import { describe, expect, it } from 'vitest';
import { statementsOfTurn } from '../../../src/memory/capture/capture-turn.ts';

const textsOf = (text: string, answer?: string): string[] => statementsOfTurn(text, { answer }).map((statement) => statement.text);

describe('statements of a person in a turn', () => {
  it.each([
    ['We use pnpm in this repo. only with a frozen lockfile', 'We use pnpm in this repo. only with a frozen lockfile'],
    ['mocha is out. vitest everywhere, the team likes the watch mode', 'mocha is out. vitest everywhere, the team likes the watch mode'],
    ['permits? thats Marisol. write to her, she hates phones', 'permits? thats Marisol. write to her, she hates phones'],
  ])('stay in one piece if short: %s', (text, kept) => {
    expect(textsOf(text)).toEqual([kept]);
  });

  it.each([
    ['How long do we keep the parking photos?', '45 days, the insurer wants it'],
    ['¿Guardo los planos en la base o en el disco?', 'en el disco, la base ya pesa mucho'],
    ['Wer bekommt nachts die Störungen?', 'der schichtleiter, er ist immer da'],
  ])('are captured with the answered question: %s', (answer, text) => {
    expect(textsOf(text, answer)).toEqual([`${answer} ${text}`]);
  });

  it('are captured with what they correct', () => {
    const answer = 'I round the weights to whole kilograms.';
    expect(textsOf('no, to 100 grams, the scale law says so', answer)).toEqual([`${answer} no, to 100 grams, the scale law says so`]);
  });

  it.each([
    ['write tests for the invoice parser, also the ugly cases', undefined],
    ['need the same list for suppliers, with a filter', undefined],
    ['at my last company every commit needed three approvals', undefined],
    ['go on with the second file', 'Shall I go on with the first or the second file?'],
    ['not now', 'I suggest a search server for this.'],
    ['32 degrees in here and the coffee machine is broken', undefined],
    ['vielleicht nehmen wir irgendwann kafka, mal sehen', undefined],
  ])('are not captured if they apply only now: %s', (text, answer) => {
    expect(textsOf(text, answer)).toEqual([]);
  });

  it('are judged paragraph by paragraph', () => {
    expect(textsOf('Can you look into the failing build?\n\nOur amounts are always integers in cents, never floats.')).toEqual([
      'Our amounts are always integers in cents, never floats.',
    ]);
  });
});
