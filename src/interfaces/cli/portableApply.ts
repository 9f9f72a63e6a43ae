// Portable files on the command line (our extension): written by `automation export --portable`, and what `automation apply` makes of
// one in an organization. The same file makes one automation there, however often it is applied.
import { Effect, Schema } from "effect"
import { textOf } from "../../domain/automations/definitions/automationFiles.ts"
import { lacking } from "../../domain/automations/definitions/portableFiles.ts"
import { makePortableTargets } from "../../domain/automations/definitions/portableTargets.ts"
import { ValidationError } from "../../platform/primitives/errors.ts"
import { rowsOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { findAutomation } from "./operatorActs.ts"

const invalid = (message: string) => new ValidationError({ message })

export const exportPortable = Effect.fnUntraced(function* (id: number, format: "yaml" | "json") {
  const { write } = yield* makePortableTargets
  return textOf(yield* write(yield* findAutomation(id), "all"), format)
})

const AppOrg = Schema.Struct({ org_id: Schema.Int })

/** The file with the ids of an organization; everything that is missing there is told at once. */
export const portableTarget = Effect.fnUntraced(function* (
  file: Readonly<Record<string, unknown>>,
  intoAppId: number | undefined,
  given: number | undefined
) {
  const sql = yield* Sql
  const [app] =
    intoAppId === undefined ? [] : yield* rowsOf(AppOrg)(sql`SELECT org_id FROM apps WHERE app_id = ${intoAppId}`)
  const orgId = given ?? app?.org_id
  if (orgId === undefined) return yield* invalid("A portable file is applied in an organization: name --org or --app.")
  if (intoAppId !== undefined && app?.org_id !== orgId) {
    return yield* invalid(`Organization ${orgId} has no app with id ${intoAppId}.`)
  }
  const { keep, read } = yield* makePortableTargets
  const { appId, missing, ...target } = yield* read(file, { orgId, into: intoAppId, sight: "all" })
  if (appId === null || missing.length > 0) return yield* lacking(orgId, missing)
  return { ...target, appId, keep }
})
