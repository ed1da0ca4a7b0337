/** Schemas of the values that clients can set in an entry. */
import { z } from 'zod';
import { forbiddenCharacterIn, isVisible } from './names.ts';
import { MAX_TAG_CHARS, MAX_TAGS, PRIORITY_WORDS, type Priority } from './vocabulary.ts';

export const MAX_NAME_CHARS = 256;

const CONTROL = /\p{Cc}/u;
const wellFormed = (text: string): boolean => text.isWellFormed();

const LONE_SURROGATE = 'must be well-formed Unicode (it has a lone surrogate)';
/** Text without lone surrogates, which cannot be stored in UTF-8. */
export const Text = z.string().refine(wellFormed, LONE_SURROGATE);
const Name = (max: number) =>
  z
    .string()
    .normalize('NFC')
    .refine(wellFormed, LONE_SURROGATE)
    .min(1, 'must not be empty')
    .max(max, `must be at most ${max} characters`)
    .refine((given) => !CONTROL.test(given), 'must not contain control characters')
    .refine((given) => forbiddenCharacterIn(given) === undefined, {
      error: ({ input }) => `must not contain zero-width or bidirectional control characters (${forbiddenCharacterIn(String(input))})`,
    })
    .refine(isVisible, 'must not be blank');
export const Content = Text.refine(isVisible, 'must not be blank').meta({
  description: 'The text to remember, kept byte for byte.',
  examples: ['We deploy with `make ship`; staging first, then production.'],
});
export const Namespace = Name(MAX_NAME_CHARS).meta({ description: 'Groups entries by project.', examples: ['owner/repo'] });
export const Container = Name(MAX_NAME_CHARS).meta({ description: 'A scope inside a namespace; defaults to the namespace.' });
export const Tag = Name(MAX_TAG_CHARS);
export const Tags = z.array(Tag).max(MAX_TAGS, `must have at most ${MAX_TAGS} tags`);

export const PriorityInput = z
  .enum(PRIORITY_WORDS)
  .transform((word): Priority => (word === 'medium' ? 'normal' : word))
  .meta({ description: '`medium` means `normal`.' });
