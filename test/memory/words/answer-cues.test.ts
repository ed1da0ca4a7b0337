import { describe, expect, it } from 'vitest';
import { answerCues, containsAnswer, containsDigits } from '../../../src/memory/words/answer-cues.ts';
import { tokenize } from '../../../src/memory/words/tokens.ts';

describe('a question', () => {
  it('for a time matches time words', () => {
    const cues = answerCues('When did Caroline go to the support group?');
    expect(cues?.tokens).toEqual(expect.arrayContaining(tokenize('yesterday Friday May')));
    expect(cues?.digits).toBe(false);
    expect(answerCues('which day do we deploy')).toEqual(cues);
  });

  it('for a number matches number words and digits', () => {
    const cues = answerCues('how many retries are there?');
    expect(cues?.tokens).toContain('three');
    expect(cues?.digits).toBe(true);
    expect([containsDigits('retri 5 time'), containsDigits('retri few time v2')]).toEqual([true, false]);
  });

  it('for a time, a number, a person or a place matches such values, in other languages too', () => {
    const answers = (question: string, text: string): boolean => containsAnswer(text, answerCues(question)!);
    expect(answers('Bis wann muss es fertig sein?', 'Die Inventur ist am 4. Januar.')).toBe(true);
    expect(answers('Combien de temps garde-t-on un livre ?', 'Un prêt dure trois semaines.')).toBe(true);
    expect(answers('which port does staging use', 'Staging listens on 8099.')).toBe(true);
    expect(answers('who signs the contracts', 'Priyanka handles the contracts.')).toBe(true);
    expect(answers('where can I try it', 'Staging is at staging.shop.example.')).toBe(true);
    expect(answers('where can I try it', 'We deploy by hand. Twice.')).toBe(false);
  });

  it('of another kind has no answer cues', () => {
    expect(answerCues('whenever the deploy fails')).toBeUndefined();
    expect(answerCues('how do I deploy')).toBeUndefined();
  });
});
