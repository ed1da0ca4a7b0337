import { featuresOf } from '../../memory/capture/durable/durable-features.ts';
import { Classifier } from '../../memory/words/classifier.ts';
import { NEEDS_MEMORY } from './needs-memory-weights.ts';

const classifier = new Classifier(NEEDS_MEMORY);

/**
 * How likely something said in earlier sessions matters for a prompt, 0..1, by its words alone: little for thanks, small talk, general questions and orders about what is
 * in hand. Trained by `test/eval/model/needs-memory.mjs`.
 */
export const needOf = (prompt: string): number => classifier.chanceOf(featuresOf({ text: prompt }));
