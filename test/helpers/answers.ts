/** Schemas of the answers that have two forms. */
import type { z } from 'zod';
import { guideOperations, guideSchemas as guideOthers } from '../../src/http/forms/guide.ts';
import { referenceSchemas as referenceOthers } from '../../src/http/forms/reference.ts';
import { entries } from '../../src/operations/entries.ts';
import { finding } from '../../src/operations/finding.ts';
import { answerSchema, type AnyOperation } from '../../src/operations/operation.ts';
import { writtenSchema } from '../../src/operations/wire.ts';

const written = (operation: unknown): z.ZodType => writtenSchema(answerSchema(operation as AnyOperation));

export const referenceSchemas = {
  ...referenceOthers,
  save: written(entries.save),
  recall: written(finding.recall),
  search: written(finding.search),
  list: written(finding.list),
  entry: written(entries.get),
  forget: written(entries.forget),
};
export const guideSchemas = {
  ...guideOthers,
  save: guideOperations.save,
  recall: guideOperations.recall,
  search: guideOperations.search,
  list: guideOperations.list,
  entry: guideOperations.getEntry,
  forget: guideOperations.deleteEntry,
};
export type FormAnswer = keyof typeof guideSchemas;
