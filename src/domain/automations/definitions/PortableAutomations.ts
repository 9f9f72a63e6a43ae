// Portable files over the API (our extension): exports an automation with names instead of ids, and imports such a file into the caller's
// organization. Names of things that the caller cannot see are never revealed. If anything is missing, all of it is reported at once and
// nothing is changed.
import { randomUUID } from "node:crypto"
import { Context, Effect, Layer } from "effect"
import type {
  Conflict,
  InputInvalid,
  NotFound,
  RecordNotFound,
  Restricted,
  ValidationError
} from "../../../platform/primitives/errors.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../../platform/sql/sqlDefect.ts"
import { Access, type AccessGrant } from "../../accounts/Access.ts"
import type { CallerShape } from "../../accounts/Caller.ts"
import { makeReachableApps } from "../../accounts/reachableApps.ts"
import { decodeCreate } from "../input/automationBodies.ts"
import { makeAutomationAudit } from "../model/automationAudit.ts"
import { Automations } from "./Automations.ts"
import { fileChanges } from "./automationFiles.ts"
import { makeAutomationRows } from "./automationRows.ts"
import { decodeOver } from "./keptIds.ts"
import { lacking, type SeenApps } from "./portableFiles.ts"
import { makePortableTargets } from "./portableTargets.ts"

export interface PortableImport {
  readonly file: Readonly<Record<string, unknown>>
  /** App to import into, if it is not the one that the file names. */
  readonly app_id?: number
  readonly dry_run?: boolean
}
export interface PortableImported {
  readonly applied: boolean
  /** Automation that the file's key identifies; null if there is none yet. */
  readonly automation_id: number | null
  /** Null if the app is missing. */
  readonly app_id: number | null
  /** Things that the organization lacks, each with its place in the file. */
  readonly missing: ReadonlyArray<string>
  /** Lines, one per changed place: `+` added, `-` removed, `~` changed. */
  readonly changes: ReadonlyArray<string>
}

type ImportFailure = ValidationError | InputInvalid | NotFound | RecordNotFound | Restricted | Conflict

export class PortableAutomations extends Context.Service<
  PortableAutomations,
  {
    readonly exported: (grant: AccessGrant) => Effect.Effect<Readonly<Record<string, unknown>>, NotFound>
    readonly imported: (caller: CallerShape, body: PortableImport) => Effect.Effect<PortableImported, ImportFailure>
  }
>()("millrace/automations/definitions/PortableAutomations") {
  static readonly layer = Layer.effect(
    PortableAutomations,
    Effect.gen(function* () {
      const sql = yield* Sql
      const access = yield* Access
      const automations = yield* Automations
      const { find } = yield* makeAutomationRows
      const { keep, read, write } = yield* makePortableTargets
      const reachable = makeReachableApps(sql)
      const audited = yield* makeAutomationAudit

      const sightOf = Effect.fnUntraced(function* (caller: CallerShape) {
        const [apps, administered] = [yield* reachable(caller, 1), yield* reachable(caller, 5)]
        const idOf = ({ app_id }: { readonly app_id: number }) => app_id
        return { apps: apps.map(idOf), administered: administered.map(idOf) } satisfies SeenApps
      })

      const exported = Effect.fn("PortableAutomations.exported")(function* (grant: AccessGrant) {
        const row = yield* find(grant.id, false)
        yield* audited("automation.exported", row)
        return yield* write(row, yield* sightOf(grant.caller))
      }, orSqlDefect)

      const create = Effect.fnUntraced(function* (grant: AccessGrant, body: unknown, key: string, dry: boolean) {
        const decoded = yield* Effect.fromResult(decodeCreate(body, randomUUID))
        const changes = [`+ automation: ${JSON.stringify(decoded.name)}`]
        if (dry) return { applied: false, automation_id: null, changes }
        const { id } = yield* automations.create(grant, decoded)
        yield* keep(id, key)
        return { applied: true, automation_id: id, changes }
      })

      const change = Effect.fnUntraced(function* (grant: AccessGrant, body: Record<string, unknown>, dry: boolean) {
        const previousRow = yield* find(grant.id, false)
        const decoded = yield* Effect.fromResult(decodeOver(previousRow, body))
        const { body: changedBody, changes } = fileChanges(previousRow, decoded)
        const applied = !dry && changes.length > 0
        if (applied) yield* automations.update(grant, changedBody, previousRow.version)
        return { applied, automation_id: grant.id, changes }
      })

      const imported = Effect.fn("PortableAutomations.imported")(
        function* (caller: CallerShape, { app_id: into, dry_run: dry = false, file }: PortableImport) {
          const { orgId } = caller
          // The lock makes two simultaneous imports of a file create one automation.
          yield* sql`SELECT pg_advisory_xact_lock(hashtextextended(${`apply/${orgId}/${String(file["key"])}`}, 0))`
          if (into !== undefined) yield* access.check(caller, "app", into, 5, true)
          const target = yield* read(file, { orgId, into, sight: yield* sightOf(caller) })
          const { appId, body, id, key, missing } = target
          const grant = appId === null ? null : yield* access.check(caller, "app", appId, 5, true)
          if (grant === null || missing.length > 0) {
            if (!dry) return yield* lacking(orgId, missing)
            return { applied: false, automation_id: null, app_id: appId, missing, changes: [] }
          }
          const outcome =
            id === undefined
              ? yield* create(grant, body, key, dry)
              : yield* change(yield* access.check(caller, "automation", id, 5, true), body, dry)
          return { ...outcome, app_id: appId, missing }
        },
        sql.withTransaction,
        orSqlDefect
      )

      return PortableAutomations.of({ exported, imported })
    })
  )
}
