// A hook as it is shown and changed once it exists (decisions W11, W12). Callers have been checked for the hook before they come here.
import { Clock, Context, Effect, Layer } from "effect"
import { trouble } from "../../engine/outbox/Event.ts"
import { Outbox } from "../../engine/outbox/Outbox.ts"
import { Outbound } from "../../ground/outbound/Outbound.ts"
import { type InputInvalid, type NotFound, ValidationError } from "../../ground/primitives/errors.ts"
import { rowOf } from "../../ground/sql/rows.ts"
import { Sql } from "../../ground/sql/Sql.ts"
import { orSqlDefect } from "../../ground/sql/sqlDefect.ts"
import type { AccessGrant } from "../accounts/Access.ts"
import { FilterRules } from "./EventFilters.ts"
import { HookListItem, type HookType } from "./Hook.ts"
import { type HookSettings, SettingsRow, settingsOf } from "./HookSettings.ts"
import { checkHookUrl } from "./HookUrl.ts"
import { makeHookAudit } from "./hookAudit.ts"
import { noHook } from "./hookSecrets.ts"
import type { SettingsInput } from "./hookSettingsInput.ts"
import { makeResuming } from "./resuming.ts"
import { makeSendingChange } from "./sendingChange.ts"
import { makeWithhold } from "./withholding.ts"

export class HookConfigurations extends Context.Service<
  HookConfigurations,
  {
    readonly get: (grant: AccessGrant) => Effect.Effect<HookListItem, NotFound>
    /** A new URL takes the verification away: what waits and what comes is withheld until there is another. */
    readonly change: (
      grant: AccessGrant,
      input: { readonly url?: string; readonly type?: HookType }
    ) => Effect.Effect<HookListItem, NotFound | ValidationError>
    readonly settings: (grant: AccessGrant) => Effect.Effect<HookSettings, NotFound>
    /** Replaces the members that are sent. */
    readonly changeSettings: (
      grant: AccessGrant,
      input: SettingsInput
    ) => Effect.Effect<HookSettings, NotFound | InputInvalid | ValidationError>
  }
>()("millrace/webhooks/HookConfigurations") {
  static readonly layer = Layer.effect(
    HookConfigurations,
    Effect.suspend(() => make)
  )
}

/** A list without doubles, in its order; null where it says no more than the hook's own type. */
const typesOf = (type: HookType, types: ReadonlyArray<HookType>) => {
  const distinct = [...new Set(types)]
  return distinct.length === 1 && distinct[0] === type ? null : distinct
}

const emptyAsNull = <A>(list: ReadonlyArray<A>) => (list.length === 0 ? null : list)

const jsonOrNull = (value: unknown) => (value === null ? null : JSON.stringify(value))

const make = Effect.gen(function* () {
  const sql = yield* Sql
  const outbound = yield* Outbound
  const outbox = yield* Outbox
  const audit = yield* makeHookAudit
  const rules = yield* FilterRules
  const withhold = yield* makeWithhold
  const resumed = yield* makeResuming
  const sendingChange = yield* makeSendingChange
  const columns = sql.literal("hook_id, app_id, status, num_failed_executions, type, url")
  const settingColumns = sql.literal(
    "type, description, paused_on, types, filter, only_fields, per_minute, at_once, sending, sealed, filter_problem"
  )

  const get = Effect.fn("HookConfigurations.get")(function* (grant: AccessGrant) {
    const hook = yield* rowOf(HookListItem)(sql`SELECT ${columns} FROM hooks WHERE hook_id = ${grant.id}`)
    return hook ?? (yield* noHook(grant.id))
  }, orSqlDefect)

  /** The code of a verification that is under way was for the former URL: it is void. */
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

  const change = Effect.fn("HookConfigurations.change")(function* (
    grant: AccessGrant,
    { type, url }: { readonly url?: string; readonly type?: HookType }
  ) {
    const host = url === undefined ? undefined : (yield* checkHookUrl(outbound, url)).host
    return yield* sql.withTransaction(
      Effect.gen(function* () {
        const hook = yield* rowOf(HookListItem)(
          sql`SELECT ${columns} FROM hooks WHERE hook_id = ${grant.id} FOR UPDATE`
        )
        if (hook === undefined) return yield* noHook(grant.id)
        if (url !== undefined && url !== hook.url) yield* moved(hook, grant, { url, host: host! })
        if (type !== undefined && type !== hook.type)
          yield* sql`
            UPDATE hooks SET type = ${type}, types = CASE WHEN ${type}::text = ANY(types) THEN types
              ELSE array_replace(types, type, ${type}::text) END
            WHERE hook_id = ${grant.id}`
        const told = {
          ...(url === undefined || url === hook.url ? {} : { host }),
          ...(type === undefined || type === hook.type ? {} : { type })
        }
        if (Object.keys(told).length > 0) yield* audit(grant, "changed", { hook_id: grant.id, ...told })
        return (yield* rowOf(HookListItem)(sql`SELECT ${columns} FROM hooks WHERE hook_id = ${grant.id}`))!
      })
    )
  }, orSqlDefect)

  const settings = Effect.fn("HookConfigurations.settings")(function* (grant: AccessGrant) {
    const row = yield* rowOf(SettingsRow)(sql`SELECT ${settingColumns} FROM hooks WHERE hook_id = ${grant.id}`)
    return settingsOf(row ?? (yield* noHook(grant.id)))
  }, orSqlDefect)

  const changed = Effect.fnUntraced(function* (grant: AccessGrant, row: SettingsRow, input: SettingsInput) {
    const now = new Date(yield* Clock.currentTimeMillis)
    const paused = input.paused ?? row.paused_on !== null
    const types = input.types === undefined ? row.types : typesOf(row.type, input.types)
    if (input.types?.includes(row.type) === false)
      return yield* new ValidationError({ message: `types: must hold the hook's own type, ${row.type}.` })
    const app = { app_id: grant.appId, org_id: grant.orgId }
    const sieve = { filter: row.filter, only_fields: row.only_fields }
    const resifted = input.filter !== undefined || input.only_fields !== undefined
    if (!paused && !resifted && row.filter_problem !== null)
      yield* Effect.mapError(
        rules.usable(app, sieve),
        ({ message }) => new ValidationError({ message: `paused: the filter has to be mended first. ${message}` })
      )
    const { filter, only_fields } = resifted
      ? yield* rules.read(
          app,
          {
            filter: input.filter === undefined ? sieve.filter : input.filter,
            only_fields:
              input.only_fields === undefined ? sieve.only_fields : emptyAsNull([...new Set(input.only_fields)])
          },
          grant.caller
        )
      : sieve
    const after: SettingsRow = {
      ...row,
      ...(yield* sendingChange(grant, row, input)),
      per_minute: input.per_minute === undefined ? row.per_minute : input.per_minute,
      at_once: input.at_once === undefined ? row.at_once : input.at_once,
      filter,
      only_fields,
      filter_problem: resifted || !paused ? null : row.filter_problem,
      description: input.description === undefined ? row.description : input.description || null,
      paused_on: paused ? (row.paused_on ?? now) : null,
      types
    }
    yield* sql`
      UPDATE hooks SET description = ${after.description}, paused_on = ${after.paused_on},
        types = ${after.types === null ? null : [...after.types]}::text[],
        filter = ${jsonOrNull(after.filter)}::jsonb, only_fields = ${jsonOrNull(after.only_fields)}::jsonb,
        filter_problem = ${after.filter_problem}, per_minute = ${after.per_minute}, at_once = ${after.at_once},
        sending = ${jsonOrNull(after.sending)}::jsonb, sealed = ${jsonOrNull(after.sealed)}::jsonb
      WHERE hook_id = ${grant.id}`
    if (row.paused_on !== null && !paused) yield* resumed(grant)
    if ((row.paused_on !== null) !== paused) yield* audit(grant, paused ? "paused" : "resumed", { hook_id: grant.id })
    const members = Object.keys(input).filter((member) => member !== "paused")
    if (members.length > 0) yield* audit(grant, "settings_changed", { hook_id: grant.id, members })
    return settingsOf(after)
  })

  const changeSettings = Effect.fn("HookConfigurations.changeSettings")(
    (grant: AccessGrant, input: SettingsInput) =>
      sql.withTransaction(
        Effect.gen(function* () {
          const row = yield* rowOf(SettingsRow)(
            sql`SELECT ${settingColumns} FROM hooks WHERE hook_id = ${grant.id} FOR NO KEY UPDATE`
          )
          return yield* changed(grant, row ?? (yield* noHook(grant.id)), input)
        })
      ),
    orSqlDefect
  )

  return HookConfigurations.of({ get, change, settings, changeSettings })
})
