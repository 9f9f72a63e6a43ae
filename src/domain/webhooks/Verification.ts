// The POST of a verification code: read from the database, signed, sent (decisions W6). No execution: it counts nowhere.
import { Clock, Context, Effect, Layer, Schema } from "effect"
import { Secrets } from "../../platform/sealing/Secrets.ts"
import { rowOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../platform/sql/sqlDefect.ts"
import { verificationBody } from "./eventBodies.ts"
import { HookAddress, sealContext } from "./mailboxRows.ts"
import { makeSendPost } from "./sendPost.ts"
import { makeVerificationAttempts } from "./verificationAttempts.ts"

/** Result of an attempt to send the code; `void`: there is nothing left to send. */
export interface Sent {
  readonly outcome: "sent" | "failed" | "void"
  /** Readable: a status or an error's class; never the code or the URL. */
  readonly reason: string
}

const Row = Schema.Struct({
  verification: Schema.Int,
  code: Schema.NullOr(Schema.Uint8Array),
  code_expires_on: Schema.NullOr(Schema.Date),
  ...HookAddress.fields
})

/** The `webhook-id` of a verification, the same for its three tries. */
const verificationId = (hookId: number, verification: number): string =>
  `msg_verify_${hookId.toString(36)}_${verification.toString(36)}`

export class Verification extends Context.Service<
  Verification,
  { readonly send: (hookId: number, verification: number) => Effect.Effect<Sent> }
>()("millrace/webhooks/Verification") {
  static readonly layer = Layer.effect(
    Verification,
    Effect.gen(function* () {
      const sql = yield* Sql
      const secrets = yield* Secrets
      const { send } = yield* makeSendPost
      const { keep } = yield* makeVerificationAttempts
      const bring = Effect.fn("Verification.send")(
        function* (hookId: number, verification: number) {
          const nowMillis = yield* Clock.currentTimeMillis
          const row = yield* rowOf(Row)(sql`
            SELECT hook_id, org_id, url, sending, sealed, verification, code, code_expires_on, secret, former_secrets
            FROM hooks WHERE hook_id = ${hookId}`)
          if (row === undefined) return { outcome: "void", reason: "the hook was deleted" } as const
          if (row.verification !== verification)
            return { outcome: "void", reason: "a newer code was requested" } as const
          if (row.code === null || (row.code_expires_on?.getTime() ?? 0) <= nowMillis)
            return { outcome: "void", reason: "the code was used or has expired" } as const
          const code = yield* secrets.decrypt(row.code, sealContext(hookId, "code"))
          const body = JSON.stringify(verificationBody(hookId, code))
          const id = verificationId(hookId, verification)
          const outcome = yield* send(row, { id, body, again: Effect.succeed(true) })
          yield* keep(hookId, outcome, code)
          const reason = outcome.status === null ? outcome.error! : `status ${outcome.status}`
          return { outcome: outcome.ok ? "sent" : "failed", reason } as const
        },
        Effect.catchTag("SecretUnreadable", Effect.die),
        orSqlDefect
      )
      return Verification.of({ send: bring })
    })
  )
}
