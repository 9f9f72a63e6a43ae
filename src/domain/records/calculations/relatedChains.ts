// Chains of calculations over apps (developer-api.md 11.3): a calculation reads calculations of its app and of related records. A chain that
// comes back to its beginning never settles, and a long one takes a pass for each relation. Pure.
import type { RelationSettings } from "../fields/kinds/relationFields.ts"
import type { AppDefinition } from "../model/AppDefinition.ts"
import { calculationsOf, isCalculation, relationsOf } from "./calculationPlan.ts"

/** Relations that a chain may follow. */
const CHAIN_AT_MOST = 10

/** A calculation of an app, by its external id. */
interface ChainLink {
  readonly app_id: number
  readonly slug: string
}

interface ChainProblem {
  readonly problem: string
  /** Path from the first calculation to the one at which the problem shows. */
  readonly path: ReadonlyArray<ChainLink>
}

interface Read extends ChainLink {
  /** 1 for a field of a related record. */
  readonly hops: number
}

/** Fields that the calculations of an app read; fields that are no calculations end a chain. */
const readsOf = (definitions: ReadonlyMap<number, AppDefinition>) => {
  const byApp = new Map<number, ReadonlyMap<string, ReadonlyArray<Read>>>()
  const ofApp = (definition: AppDefinition) =>
    new Map(
      calculationsOf(definition).map((calculation) => {
        const { app_id } = definition
        const ownReads = [...calculation.reads.values()].map(({ slug }): Read => ({ app_id, slug, hops: 0 }))
        const related = relationsOf(calculation).flatMap(({ settings }) =>
          (settings as RelationSettings).referenced_apps.flatMap((one) =>
            [...calculation.expression.uses.members].map((slug): Read => ({ app_id: one.app_id, slug, hops: 1 }))
          )
        )
        return [calculation.field.slug, [...ownReads, ...related]]
      })
    )
  return ({ app_id, slug }: ChainLink): ReadonlyArray<Read> => {
    const definition = definitions.get(app_id)
    if (definition === undefined) return []
    const reads = byApp.get(app_id) ?? ofApp(definition)
    byApp.set(app_id, reads)
    return reads.get(slug) ?? []
  }
}

/** Finds a chain that returns or is too long, among the calculations of apps that read one another. */
export const chainProblem = (definitions: ReadonlyMap<number, AppDefinition>): ChainProblem | null => {
  const reads = readsOf(definitions)
  const keyOf = ({ app_id, slug }: ChainLink) => `${app_id} ${slug}`
  /** Relations that the longest chain from a calculation follows. */
  const lengths = new Map<string, number>()
  const path: Array<ChainLink> = []
  const onPath = new Set<string>()
  const tooLong = (link: ChainLink): ChainProblem => ({
    problem: `reads over more than ${CHAIN_AT_MOST} relations`,
    path: [...path, link]
  })
  /** Its depth is bounded by the relations of a chain, and by the fields of an app between two of them. */
  const visit = (link: ChainLink, hops: number): ChainProblem | number => {
    const key = keyOf(link)
    if (onPath.has(key)) {
      const start = path.findIndex((one) => keyOf(one) === key)
      return { problem: "reads itself", path: [...path.slice(start), link] }
    }
    const length = lengths.get(key)
    if (length !== undefined) return hops + length > CHAIN_AT_MOST ? tooLong(link) : length
    if (hops > CHAIN_AT_MOST) return tooLong(link)
    path.push(link)
    onPath.add(key)
    let longest = 0
    for (const read of reads(link)) {
      const laterChain = visit(read, hops + read.hops)
      if (typeof laterChain !== "number") return laterChain
      longest = Math.max(longest, laterChain + read.hops)
    }
    path.pop()
    onPath.delete(key)
    lengths.set(key, longest)
    return longest
  }
  for (const { app_id, fields } of definitions.values()) {
    for (const { slug } of fields.filter(isCalculation)) {
      const result = visit({ app_id, slug }, 0)
      if (typeof result !== "number") return result
    }
  }
  return null
}
