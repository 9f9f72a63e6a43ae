// Revisions of definitions with their plans, cached in the process: a revision never changes (decisions A2).
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { Definition } from "../Definition.ts"
import { makePlan, type Plan } from "../plan.ts"
import { kinds } from "./kinds.ts"

export interface Revision {
  readonly revision_id: string
  readonly automation_id: number
  readonly name: string
  readonly timezone: string
  readonly definition: Definition
  readonly plan: Plan
}

const MAX_CACHED = 2_000

export const planOf = (definition: Definition): Plan =>
  makePlan(definition.actions, (type) => kinds[type as keyof typeof kinds] ?? "database")

export class Revisions extends Context.Service<
  Revisions,
  { readonly get: (revisionId: string) => Effect.Effect<Revision | null> }
>()("millrace/automations/engine/Revisions") {
  static readonly layer = Layer.effect(
    Revisions,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const cache = new Map<string, Revision>()
      const get = Effect.fnUntraced(
        function* (revisionId: string) {
          const known = cache.get(revisionId)
          if (known !== undefined) return known
          const [row] = yield* sql<Omit<Revision, "definition" | "plan"> & Definition>`
            SELECT revision_id::text, automation_id, name, timezone, trigger, filter, actions
            FROM automation_revisions WHERE revision_id = ${revisionId}::bigint`
          if (row === undefined) return null
          const { trigger, filter, actions, ...rest } = row
          const definition = { trigger, filter, actions }
          const revision: Revision = { ...rest, definition, plan: planOf(definition) }
          if (cache.size >= MAX_CACHED) cache.delete(cache.keys().next().value!)
          cache.set(revisionId, revision)
          return revision
        },
        Effect.catchTag("SqlError", Effect.die)
      )
      return Revisions.of({ get })
    })
  )
}
