// Revisions of definitions with their plans, cached in the process: a revision never changes (decisions A2).
import { Cache, Context, Duration, Effect, Exit, Layer, Schema } from "effect"
import { rowOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../../platform/sql/sqlDefect.ts"
import { type Reach, readReach } from "../../accounts/Authority.ts"
import { readStored, StoredParts } from "../input/storedDefinition.ts"
import type { CustomDef, Definition } from "../model/Definition.ts"
import { makePlan, type Plan } from "../model/Plan.ts"
import { secretsNamed } from "../schema/secretsNamed.ts"
import { declaredIn, kindOf } from "./stepKinds.ts"

export interface Revision {
  readonly revision_id: string
  readonly automation_id: number
  readonly name: string
  readonly timezone: string
  /** User who saved the definition, and the reach (access level) of the credential that they used (decisions A20). */
  readonly author_id: number
  readonly reach: Reach
  readonly definition: Definition
  readonly plan: Plan
  /** Variables that its steps declare. */
  readonly declared: ReadonlyArray<CustomDef>
  /** Names of the secrets that its steps use. */
  readonly secrets: ReadonlyArray<string>
  /** Reason why this release cannot execute the revision, which another release wrote; null if it can. */
  readonly unreadable: string | null
}

const StoredRevision = Schema.Struct({
  ...StoredParts.fields,
  revision_id: Schema.String,
  automation_id: Schema.Int,
  name: Schema.String,
  timezone: Schema.String,
  author_id: Schema.Int,
  reach: Schema.Unknown
})

const MAX_CACHED = 2_000

const planOf = (definition: Definition): Plan => makePlan(definition.actions, kindOf)

export class RevisionCache extends Context.Service<
  RevisionCache,
  { readonly get: (revisionId: string) => Effect.Effect<Revision | null> }
>()("millrace/automations/run/RevisionCache") {
  static readonly layer = Layer.effect(
    RevisionCache,
    Effect.gen(function* () {
      const sql = yield* Sql
      const read = Effect.fnUntraced(function* (revisionId: string) {
        const row = yield* rowOf(StoredRevision)(sql`
            SELECT revision_id::text, automation_id, name, timezone, coalesce(author_id, 0) AS author_id, reach, trigger,
              filter, actions, format
            FROM automation_revisions WHERE revision_id = ${revisionId}::bigint`)
        if (row === undefined) return null
        const { trigger, filter, actions, format, reach, ...rest } = row
        const { definition, unreadable } = readStored({ trigger, filter, actions, format })
        const why = unreadable.length === 0 ? null : unreadable.map(({ message }) => message).join("\n")
        const revision: Revision = {
          ...rest,
          reach: readReach(reach),
          definition,
          plan: planOf(definition),
          declared: declaredIn(definition.actions),
          secrets: [...secretsNamed(definition)],
          unreadable: why
        }
        return revision
      }, orSqlDefect)
      const cache = yield* Cache.makeWith(read, {
        capacity: MAX_CACHED,
        timeToLive: (exit) => (Exit.isSuccess(exit) && exit.value !== null ? Duration.infinity : Duration.zero)
      })
      return RevisionCache.of({ get: (revisionId) => Cache.get(cache, revisionId) })
    })
  )
}
