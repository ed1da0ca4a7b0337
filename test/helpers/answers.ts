/** Schemas of the responses with two representations. */
import type { z } from 'zod';
import { guideOperations } from '../../src/http/representations/guide.ts';
import { entries } from '../../src/operations/entries.ts';
import { finding } from '../../src/operations/finding.ts';
import { health } from '../../src/operations/health.ts';
import { answerSchema, type AnyOperation } from '../../src/operations/operation.ts';
import { writtenSchema } from '../../src/operations/wire.ts';

const written = (operation: unknown): z.ZodType => writtenSchema(answerSchema(operation as AnyOperation));

export const referenceSchemas = {
  save: written(entries.save),
  recall: written(finding.recall),
  search: written(finding.search),
  list: written(finding.list),
  entry: written(entries.get),
  forget: written(entries.forget),
  health: writtenSchema(health.health.form.schema),
};
export const guideSchemas = {
  save: guideOperations.save,
  recall: guideOperations.recall,
  search: guideOperations.search,
  list: guideOperations.list,
  entry: guideOperations.getEntry,
  forget: guideOperations.deleteEntry,
  health: guideOperations.health,
};
export type FormAnswer = keyof typeof guideSchemas;
