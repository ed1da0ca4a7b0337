import { Classifier } from '../../words/classifier.ts';
import { featuresOf, type SaidTurn } from './durable-features.ts';
import { DURABLE } from './durable-weights.ts';

const classifier = new Classifier(DURABLE);

/** How likely what a person said holds for long, from 0 to 1; trained by `test/eval/train-durable.mjs`. */
export const durabilityOf = (turn: SaidTurn): number => classifier.chanceOf(featuresOf(turn));
