import { Classifier } from '../../words/classifier.ts';
import { featuresOf, type PersonTurn } from './durable-features.ts';
import { DURABLE } from './durable-weights.ts';

const classifier = new Classifier(DURABLE);

/** Probability 0..1 that a turn states something lasting; weights trained by `test/eval/train-durable.mjs`. */
export const durabilityOf = (turn: PersonTurn): number => classifier.chanceOf(featuresOf(turn));
