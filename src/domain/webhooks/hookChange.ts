// Changes a hook's address and type (decisions W11, W17, W18). Another URL ends the verification; another origin removes the secret values
// that were written for the former one. Whoever changes a hook becomes its saver.
import { Clock, Effect, Schema } from "effect"
import { trouble } from "../../engine/outbox/Event.ts"
import { Outbox } from "../../engine/outbox/Outbox.ts"
import { Outbound } from "../../platform/outbound/Outbound.ts"
import { rowOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../platform/sql/sqlDefect.ts"
import type { AccessGrant } from "../accounts/Access.ts"
import { HookListItem, type HookType, hookColumns } from "./Hook.ts"
import { jsonOrNull, readsRecords, SettingsRow, waitsForSaver } from "./HookSettings.ts"
import { checkHookUrl } from "./HookUrl.ts"
import { makeHookAudit } from "./hookAudit.ts"
import { makeHookSaver, mayRead } from "./hookReadRights.ts"
import { noHook } from "./hookSecrets.ts"
import { makeHookSettingsChange, withoutSecrets } from "./hookSettingsChange.ts"
import type { SettingsInput } from "./hookSettingsInput.ts"
import { makeResumeHook } from "./resumeHook.ts"
import { makeWithheldDeliveries } from "./withheldDeliveries.ts"

/** Change of a hook. A `url` at another origin removes the secret values written for the former one, unless the change sends them again. */
export interface HookChange extends Pick<SettingsInput, "headers" | "authentication"> {
  readonly url?: string
  readonly type?: HookType
}

const FoundHook = Schema.Struct({ ...HookListItem.fields, ...SettingsRow.fields })
type FoundHook = typeof FoundHook.Type

export const makeHookChange = Effect.gen(function* () {
  const sql = yield* Sql
  const outbound = yield* Outbound
  const outbox = yield* Outbox
  const audit = yield* makeHookAudit
  const withhold = yield* makeWithheldDeliveries
  const resumed = yield* makeResumeHook
  const sendingChange = yield* makeHookSettingsChange
  const { saverOf, takenOver } = yield* makeHookSaver
  const columns = sql.literal(hookColumns)
  const foundColumns = sql.literal(Object.keys(FoundHook.fields).join(", "))

  /** Moves the hook to another URL. Voids the code of an open verification, which was sent to the former one. */
  const moved = Effect.fnUntraced(function* (
    { num_failed_executions: failures, hook_id, status, ...hook }: HookListItem,
    grant: AccessGrant,
    { host, url }: { readonly url: string; readonly host: string }
  ) {
    yield* sql`
      UPDATE hooks SET url = ${url}, host = ${host}, status = 'inactive', code = NULL, code_expires_on = NULL
      WHERE hook_id = ${hook_id}`
    if (status === "inactive") return
    yield* withhold(hook_id, new Date(yield* Clock.currentTimeMillis))
    const payload = { hook_id, failures, reason: "url_changed" }
    yield* outbox.append([trouble({ ...hook, org_id: grant.orgId }, { type: "hook.inactive", payload })])
  })

  /** Updates the hook's headers and authentication; at another origin without the stored secret values. */
  const resent = Effect.fnUntraced(function* (
    grant: AccessGrant,
    hook: FoundHook,
    { authentication, headers, url }: HookChange
  ) {
    const elsewhere = url !== undefined && new URL(url).origin !== new URL(hook.url).origin
    const input = {
      ...(headers === undefined ? {} : { headers }),
      ...(authentication === undefined ? {} : { authentication })
    }
    if (!elsewhere && Object.keys(input).length === 0) return
    const { sealed, sending } = yield* sendingChange(grant, elsewhere ? withoutSecrets(hook) : hook, input)
    yield* sql`
      UPDATE hooks SET sending = ${jsonOrNull(sending)}::jsonb, sealed = ${jsonOrNull(sealed)}::jsonb WHERE hook_id = ${grant.id}`
  })

  const changeIn = Effect.fnUntraced(function* (grant: AccessGrant, input: HookChange, host: string | undefined) {
    const saver = yield* saverOf(grant)
    const hook = yield* rowOf(FoundHook)(sql`SELECT ${foundColumns} FROM hooks WHERE hook_id = ${grant.id} FOR UPDATE`)
    if (hook === undefined) return yield* noHook(grant.id)
    if (readsRecords(hook)) yield* mayRead(grant)
    const { type, url } = input
    yield* resent(grant, hook, input)
    if (url !== undefined && url !== hook.url) yield* moved(hook, grant, { url, host: host! })
    if (type !== undefined && type !== hook.type)
      yield* sql`
        UPDATE hooks SET type = ${type}, types = CASE WHEN ${type}::text = ANY(types) THEN types
          ELSE array_replace(types, type, ${type}::text) END
        WHERE hook_id = ${grant.id}`
    yield* takenOver(grant.id, saver)
    if (waitsForSaver(hook)) {
      yield* sql`UPDATE hooks SET paused_on = NULL WHERE hook_id = ${grant.id}`
      yield* resumed(grant)
      yield* audit(grant, "resumed", { hook_id: grant.id })
    }
    const members = (["headers", "authentication"] as const).filter((member) => input[member] !== undefined)
    const auditDetails = {
      ...(url === undefined || url === hook.url ? {} : { host }),
      ...(type === undefined || type === hook.type ? {} : { type }),
      ...(members.length === 0 ? {} : { members })
    }
    if (Object.keys(auditDetails).length > 0) yield* audit(grant, "changed", { hook_id: grant.id, ...auditDetails })
    return (yield* rowOf(HookListItem)(sql`SELECT ${columns} FROM hooks WHERE hook_id = ${grant.id}`))!
  })

  return Effect.fn("HookConfigurations.change")(function* (grant: AccessGrant, input: HookChange) {
    const host = input.url === undefined ? undefined : (yield* checkHookUrl(outbound, input.url)).host
    return yield* sql.withTransaction(changeIn(grant, input, host))
  }, orSqlDefect)
})
