// Signing secrets of hooks: shown, and rotated with an overlap in which former ones still sign (decisions W7, W19). An overlap of 0 retires them
// at once.
import { Clock, Effect, Schema } from "effect"
import { NotFound } from "../../platform/primitives/errors.ts"
import { Secrets } from "../../platform/sealing/Secrets.ts"
import { jsonb } from "../../platform/sql/columns.ts"
import { rowOf, rowsOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../platform/sql/sqlDefect.ts"
import type { AccessGrant } from "../accounts/Access.ts"
import { makeHookAudit } from "./hookAudit.ts"
import { type FormerSecret, sealContext } from "./mailboxRows.ts"
import { FORMER_SECRETS_MOST, newSecret, ROTATION_OVERLAP_SECONDS } from "./signature.ts"

const Secret = Schema.Struct({ secret: Schema.Uint8Array })

const Signing = Schema.Struct({
  secret: Schema.Uint8Array,
  former_secrets: jsonb<ReadonlyArray<FormerSecret>>()
})

export const noHook = (hookId: number) => new NotFound({ message: `No hook with id ${hookId}.` })

export const makeHookSecrets = Effect.gen(function* () {
  const sql = yield* Sql
  const secrets = yield* Secrets
  const audit = yield* makeHookAudit

  const secret = Effect.fn("Hooks.secret")(
    function* (grant: AccessGrant) {
      const rows = yield* rowsOf(Secret)(sql`SELECT secret FROM hooks WHERE hook_id = ${grant.id}`)
      if (rows[0] === undefined) return yield* noHook(grant.id)
      return yield* secrets.decrypt(rows[0].secret, sealContext(grant.id, "secret"))
    },
    Effect.catchTag("SecretUnreadable", Effect.die),
    orSqlDefect
  )

  const rotateSecret = Effect.fn("Hooks.rotateSecret")(function* (
    grant: AccessGrant,
    overlapSeconds: number = ROTATION_OVERLAP_SECONDS
  ) {
    const nowMillis = yield* Clock.currentTimeMillis
    const end = nowMillis + overlapSeconds * 1_000
    const until = new Date(end).toISOString()
    const freshSecret = newSecret()
    const sealed = secrets.encrypt(freshSecret, sealContext(grant.id, "secret"))
    return yield* sql.withTransaction(
      Effect.gen(function* () {
        const hook = yield* rowOf(Signing)(sql`
            SELECT secret, former_secrets FROM hooks WHERE hook_id = ${grant.id} FOR NO KEY UPDATE`)
        if (hook === undefined) return yield* noHook(grant.id)
        // None of the former ones outlasts the overlap: with 0 all of them are retired.
        const former = [{ secret: Buffer.from(hook.secret).toString("base64"), until }, ...hook.former_secrets]
          .map((one) => (Date.parse(one.until) > end ? { ...one, until } : one))
          .filter((one) => Date.parse(one.until) > nowMillis)
        yield* sql`
            UPDATE hooks SET secret = ${sealed}, former_secrets = ${JSON.stringify(former.slice(0, FORMER_SECRETS_MOST))}::jsonb
            WHERE hook_id = ${grant.id}`
        yield* audit(grant, "secret_rotated", { hook_id: grant.id, overlap_seconds: overlapSeconds })
        return freshSecret
      })
    )
  }, orSqlDefect)

  return { secret, rotateSecret }
})
