import { describe, expect, it } from 'vitest';
import { confirmationOf, type Confirmable } from '../../../src/memory/capture/capture-confirmation.ts';

const said = (text: string, more: Partial<Confirmable> = {}): Confirmable => ({ text, isReply: false, edited: [], ...more });

describe('the confirming sentence of an answer', () => {
  it.each([
    [
      'repeats its number',
      said('make it 5 then'),
      'Hives with more than 5 mites a day are red.',
      'Hives with more than 5 mites a day are red.',
    ],
    ['ends at a semicolon', said('10 instead of 7'), 'Raised the limit to 10; two passes drop out.', 'Raised the limit to 10.'],
    ['is not the first', said("it's 18 now"), 'Good. Loans last 18 months.', 'Loans last 18 months.'],
    ['has the edited number', said('minus fourteen it is', { edited: ['14'] }), 'The target is -14 LUFS.', 'The target is -14 LUFS.'],
    ['has it in other units', said('baja a 45', { edited: ['45_000'] }), 'La ficha cierra a los 45 s.', 'La ficha cierra a los 45 s.'],
    [
      'repeats a word of a reply',
      said('the Backblaze one', { isReply: true }),
      'Uploads go to Backblaze now.',
      'Uploads go to Backblaze now.',
    ],
    ['is German', said('dann eben 300'), 'Die Grenze für Quittungen ist 300.', 'Die Grenze für Quittungen ist 300.'],
  ])('%s', (_, statement, answer, confirmation) => {
    expect(confirmationOf(statement, answer)).toBe(confirmation);
  });

  it.each([
    ['another number', said('make it 5'), 'Version 12 is out now.'],
    ['a word alone, for a rule', said('buttons are never smaller than a thumb'), 'The form is done, with three buttons.'],
    ['nothing new', said('the limit is 70 percent'), 'The limit is 70 percent.'],
    ['a plan', said('make it 5'), "I'll set it to 5 in the next step."],
    ['a question', said('make it 5'), 'Do you mean 5 mites a day?'],
    ['its value far behind', said('make it 5'), 'Done. Tests pass. The page is up. It took 5 seconds to build.'],
  ])('is none in %s', (_, statement, answer) => {
    expect(confirmationOf(statement, answer)).toBeUndefined();
  });
});
