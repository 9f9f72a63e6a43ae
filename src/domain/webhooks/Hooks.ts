// Hooks of an app: create, verify, list, delete, secrets (service.md 2.6, 3.1, 4.4; decisions W6, W7).
// Callers have been checked for the app or hook (developer-api.md 2.3) before they come here.
import { randomBytes } from "node:crypto"
import { Clock, Context, Effect, Layer, Schema } from "effect"
import { command } from "../../engine/outbox/Event.ts"
import { nextEvent, Outbox } from "../../engine/outbox/Outbox.ts"
import { Outbound } from "../../platform/outbound/Outbound.ts"
import {
  HookVerificationCodeInvalid,
  NotFound,
  type Restricted,
  ValidationError
} from "../../platform/primitives/errors.ts"
import { Secrets, sameSecret } from "../../platform/sealing/Secrets.ts"
import { countOf, rowOf, rowsOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../platform/sql/sqlDefect.ts"
import type { AccessGrant } from "../accounts/Access.ts"
import { HookListItem, type HookRecord, type HookType, hookColumns, MAX_HOOKS_PER_APP, recordOf } from "./Hook.ts"
import { checkHookUrl } from "./HookUrl.ts"
import type { VerifyPayload } from "./hookActorCommands.ts"
import { makeHookAudit } from "./hookAudit.ts"
import { makeHookSaver } from "./hookReadRights.ts"
import { makeHookSecrets, noHook } from "./hookSecrets.ts"
import { sealContext } from "./mailboxRows.ts"
import { newSecret } from "./signature.ts"
import { WebhookSettings } from "./WebhookSettings.ts"

const HOUR = 3_600_000

const VerifiedHook = Schema.Struct({ ...HookListItem.fields, verification: Schema.Int })

const CodeRow = Schema.Struct({
  ...VerifiedHook.fields,
  code: Schema.NullOr(Schema.Uint8Array),
  code_expires_on: Schema.NullOr(Schema.Date),
  code_guesses: Schema.Int
})

export class Hooks extends Context.Service<
  Hooks,
  {
    /** @param grant for the app */
    readonly create: (
      grant: AccessGrant,
      input: { readonly type: HookType; readonly url: string }
    ) => Effect.Effect<HookListItem, NotFound | Restricted | ValidationError>
    readonly list: (grant: AccessGrant) => Effect.Effect<ReadonlyArray<HookListItem>>
    /** Makes a new code, which voids the former one, and leaves its POST to the verification workflow. */
    readonly requestVerification: (grant: AccessGrant) => Effect.Effect<HookRecord, NotFound>
    readonly validate: (
      grant: AccessGrant,
      code: string
    ) => Effect.Effect<HookRecord, NotFound | HookVerificationCodeInvalid>
    readonly remove: (grant: AccessGrant) => Effect.Effect<HookRecord, NotFound>
    readonly secret: (grant: AccessGrant) => Effect.Effect<string, NotFound>
    /** A new secret; the former ones sign too for as long at most, 24 h unless given (W7, W19). */
    readonly rotateSecret: (grant: AccessGrant, overlapSeconds?: number) => Effect.Effect<string, NotFound>
  }
>()("millrace/webhooks/Hooks") {
  static readonly layer = Layer.effect(
    Hooks,
    Effect.suspend(() => make)
  )
}

const HookId = Schema.Struct({ hook_id: Schema.Int })

const make = Effect.gen(function* () {
  const sql = yield* Sql
  const settings = yield* WebhookSettings
  const outbound = yield* Outbound
  const secrets = yield* Secrets
  const outbox = yield* Outbox
  const audit = yield* makeHookAudit
  const { saverOf } = yield* makeHookSaver
  const columns = sql.literal(hookColumns)

  const tell = (grant: AccessGrant, payload: VerifyPayload) =>
    outbox.append([command({ org_id: grant.orgId, app_id: grant.appId }, "command.hook.verify", { ...payload })])

  /** Locks and returns the hook's row until the transaction ends. */
  const lockHook = Effect.fnUntraced(function* (hookId: number) {
    const rows = yield* rowsOf(CodeRow)(sql`
      SELECT ${columns}, verification, code, code_expires_on, code_guesses FROM hooks WHERE hook_id = ${hookId} FOR UPDATE`)
    return rows[0] ?? (yield* noHook(hookId))
  })

  const create = Effect.fn("Hooks.create")(function* (
    grant: AccessGrant,
    { type, url }: { readonly type: HookType; readonly url: string }
  ) {
    const { host } = yield* checkHookUrl(outbound, url)
    const nowDate = new Date(yield* Clock.currentTimeMillis)
    return yield* sql.withTransaction(
      Effect.gen(function* () {
        const saver = yield* saverOf(grant)
        // Locks the app, so that creations run one after another and the limit holds.
        const app = yield* sql`SELECT 1 FROM apps WHERE app_id = ${grant.appId} FOR NO KEY UPDATE`
        if (app.length === 0) return yield* new NotFound({ message: `No app with id ${grant.appId}.` })
        const count = yield* countOf(sql`
            SELECT count(*)::int AS n FROM hooks WHERE app_id = ${grant.appId}`)
        if (count >= MAX_HOOKS_PER_APP)
          return yield* new ValidationError({ message: `An app has at most ${MAX_HOOKS_PER_APP} hooks.` })
        const id = yield* rowOf(HookId)(sql`
            SELECT nextval(pg_get_serial_sequence('hooks', 'hook_id')) AS hook_id`)
        const sealed = secrets.encrypt(newSecret(), sealContext(id!.hook_id, "secret"))
        const hook = yield* rowOf(HookListItem)(sql`
            INSERT INTO hooks (hook_id, org_id, app_id, type, url, host, secret, created_by, created_on, author_id, reach, connection_id) OVERRIDING SYSTEM VALUE
            VALUES (${id!.hook_id}, ${grant.orgId}, ${grant.appId}, ${type}, ${url}, ${host}, ${sealed}, ${grant.caller.userId}, ${nowDate},
              ${saver.authorId}, ${saver.reach}::jsonb, ${saver.connectionId})
            RETURNING ${columns}`)
        yield* audit(grant, "created", { hook_id: id!.hook_id, type, host })
        return hook!
      })
    )
  }, orSqlDefect)

  const list = Effect.fn("Hooks.list")(
    (grant: AccessGrant) =>
      rowsOf(HookListItem)(sql`SELECT ${columns} FROM hooks WHERE app_id = ${grant.appId} ORDER BY hook_id`),
    orSqlDefect
  )

  const requestVerification = Effect.fn("Hooks.requestVerification")(function* (grant: AccessGrant) {
    const nowMillis = yield* Clock.currentTimeMillis
    const sealed = secrets.encrypt(randomBytes(18).toString("base64url"), sealContext(grant.id, "code"))
    return yield* sql.withTransaction(
      Effect.gen(function* () {
        const hook = yield* rowOf(VerifiedHook)(sql`
            UPDATE hooks SET verification = verification + 1, code = ${sealed}, code_guesses = 0,
              code_expires_on = ${new Date(nowMillis + settings.codeHours * HOUR)}
            WHERE hook_id = ${grant.id} RETURNING ${columns}, verification`)
        if (hook === undefined) return yield* noHook(grant.id)
        yield* tell(grant, { hook_id: grant.id, verification: hook.verification, step: "requested" })
        return recordOf(hook)
      })
    )
  }, orSqlDefect)

  /** Commits the guess whatever it was worth; the failure comes after the commit. */
  const guess = Effect.fnUntraced(function* (grant: AccessGrant, code: string) {
    const nowMillis = yield* Clock.currentTimeMillis
    const hook = yield* lockHook(grant.id)
    const isCodeValid =
      hook.code !== null &&
      (hook.code_expires_on?.getTime() ?? 0) > nowMillis &&
      hook.code_guesses < settings.codeGuesses
    if (!isCodeValid) return null
    const expected = yield* Effect.orDie(secrets.decrypt(hook.code!, sealContext(grant.id, "code")))
    if (!sameSecret(expected, code)) {
      yield* sql`UPDATE hooks SET code_guesses = code_guesses + 1 WHERE hook_id = ${grant.id}`
      return null
    }
    const active = yield* rowOf(HookListItem)(sql`
      UPDATE hooks SET status = 'active', num_failed_executions = 0, alerted = 0, code = NULL, code_expires_on = NULL,
        verified_on = coalesce(verified_on, ${new Date(nowMillis)}),
        events_from = CASE WHEN verified_on IS NULL THEN ${nextEvent(sql)} ELSE events_from END
      WHERE hook_id = ${grant.id} RETURNING ${columns}`)
    yield* tell(grant, { hook_id: grant.id, verification: hook.verification, step: "validated" })
    yield* audit(grant, "verified", { hook_id: grant.id, host: new URL(hook.url).host })
    return recordOf(active!)
  })

  const validate = Effect.fn("Hooks.validate")(function* (grant: AccessGrant, code: string) {
    const hook = yield* sql.withTransaction(guess(grant, code))
    return (
      hook ?? (yield* new HookVerificationCodeInvalid({ message: "code: wrong, spent or expired; request a new one." }))
    )
  }, orSqlDefect)

  const remove = Effect.fn("Hooks.remove")(function* (grant: AccessGrant) {
    return yield* sql.withTransaction(
      Effect.gen(function* () {
        const [hook] = yield* rowsOf(VerifiedHook)(
          sql`DELETE FROM hooks WHERE hook_id = ${grant.id} RETURNING ${columns}, verification`
        )
        if (hook === undefined) return yield* noHook(grant.id)
        // Runs after the delete of the hook: fan-outs that had locked the hook have committed their rows by now.
        yield* sql`
            WITH open AS (SELECT hook_id, event_id FROM webhook_queue WHERE hook_id = ${grant.id} ORDER BY record_id, event_id FOR UPDATE)
            DELETE FROM webhook_queue q USING open WHERE q.hook_id = open.hook_id AND q.event_id = open.event_id`
        if (hook.verification > 0)
          yield* tell(grant, { hook_id: grant.id, verification: hook.verification, step: "deleted" })
        yield* audit(grant, "deleted", { hook_id: grant.id, type: hook.type, host: new URL(hook.url).host })
        return { ...recordOf(hook), status: "inactive" as const }
      })
    )
  }, orSqlDefect)

  return Hooks.of({ create, list, requestVerification, validate, remove, ...(yield* makeHookSecrets) })
})
