/** The relations of an entry in the guide form. */
import { z } from 'zod';
import type { Relation } from '../../memory/relation.ts';
import { RelationResult, RelationsOfEntry as Relations } from '../../operations/relations.ts';
import { writerOf, writtenSchema } from '../../operations/wire.ts';

const { description } = Relations;

const write = writerOf(z.array(RelationResult).readonly());
const relationsForm = (relations: readonly Relation[]) => [...write(relations)];

/** In the guide form, whose ids are of `id`. */
export const guideRelations = (id: z.ZodType<string>) =>
  z.array(writtenSchema(RelationResult).extend({ sourceId: id, targetId: id }).meta({ id: 'GuideRelation' })).meta({ description });

export function guideRelationsForm(
  relations: readonly Relation[],
  idForm: (id: string) => string,
): z.output<ReturnType<typeof guideRelations>> {
  return relationsForm(relations).map((relation) => ({
    ...relation,
    sourceId: idForm(relation.sourceId),
    targetId: idForm(relation.targetId),
  }));
}
