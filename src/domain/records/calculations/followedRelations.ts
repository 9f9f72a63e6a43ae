// Relations that the calculations of an app follow (developer-api.md 11.3), and the records of them that are read: bounded for a relation, for
// a record, and for those whose related records are read together.
import type { Cells } from "../../../platform/primitives/Cell.ts"
import type { RelationSettings } from "../fields/kinds/relationFields.ts"
import type { Field } from "../fields/model/Field.ts"
import { calculationsOf, relationsOf } from "./calculationPlan.ts"

/** Records of one relation field that an expression may read. */
export const RELATED_AT_MOST = 1_000
/** Records of all relations of a record that its expressions may read; and those that one lookup reads for its batch. */
export const READ_AT_MOST = 5_000

/** Relations that calculations follow, with the external ids that they read of the records there. */
export const followedRelations = (definition: { readonly fields: ReadonlyArray<Field> }) => {
  const followed = new Map<Field<RelationSettings>, Set<string>>()
  for (const calculation of calculationsOf(definition)) {
    for (const relation of relationsOf(calculation)) {
      const members = followed.get(relation) ?? new Set()
      followed.set(relation, members)
      for (const member of calculation.expression.uses.members) members.add(member)
    }
  }
  return followed
}

/** Relations of a record that its expressions may read: those of up to 1,000 records, as long as all of them have no more than 5,000. */
export const readRelations = (relations: Iterable<Field>, cells: Cells) => {
  const idsOf = new Map<number, ReadonlyArray<number>>()
  let count = 0
  for (const relation of relations) {
    const ids = (cells[relation.field_id] ?? []) as ReadonlyArray<number>
    if (ids.length > RELATED_AT_MOST || count + ids.length > READ_AT_MOST) continue
    idsOf.set(relation.field_id, ids)
    count += ids.length
  }
  return { count, idsOf }
}

/** Number of first records whose related ones are read in one lookup; at least one. */
export const readTogether = (
  definition: { readonly fields: ReadonlyArray<Field> },
  all: ReadonlyArray<Cells>
): number => {
  const relations = [...followedRelations(definition).keys()]
  let sum = 0
  const end = all.findIndex((cells) => {
    sum += readRelations(relations, cells).count
    return sum > READ_AT_MOST
  })
  return end < 0 ? all.length : Math.max(1, end)
}
