import { featuresOf } from '../../memory/capture/durable/durable-features.ts';
import { Classifier } from '../../memory/words/classifier.ts';
import { NEEDS_MEMORY } from './needs-memory-weights.ts';

const classifier = new Classifier(NEEDS_MEMORY);

/**
 * How likely a prompt needs something said in earlier sessions, 0..1, by its words alone: low for thanks, small talk, general questions and
 * orders about the current work. Trained by `test/eval/model/needs-memory.mjs`.
 */
export const memoryNeed = (prompt: string): number => classifier.chanceOf(featuresOf({ text: prompt }));
