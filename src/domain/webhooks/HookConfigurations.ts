// Shows and changes an existing hook (decisions W11, W12, W17, W18). Callers have been checked for the hook before. Whoever changes it
// becomes its saver: it reads with their rights from then on, and reading records needs their scope.
import { Clock, Context, Effect, Layer } from "effect"
import { type InputInvalid, type NotFound, type Restricted, ValidationError } from "../../platform/primitives/errors.ts"
import { rowOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../platform/sql/sqlDefect.ts"
import type { AccessGrant } from "../accounts/Access.ts"
import { FilterRules } from "./EventFilters.ts"
import { HookListItem, type HookType, hookColumns } from "./Hook.ts"
import { type HookSettings, jsonOrNull, readsRecords, SettingsRow, settingsOf, waitsForSaver } from "./HookSettings.ts"
import { makeHookAudit } from "./hookAudit.ts"
import { type HookChange, makeHookChange } from "./hookChange.ts"
import { type HookSaver, makeHookSaver, mayRead } from "./hookReadRights.ts"
import { noHook } from "./hookSecrets.ts"
import { makeHookSettingsChange } from "./hookSettingsChange.ts"
import type { SettingsInput } from "./hookSettingsInput.ts"
import { makeResumeHook } from "./resumeHook.ts"

export class HookConfigurations extends Context.Service<
  HookConfigurations,
  {
    readonly get: (grant: AccessGrant) => Effect.Effect<HookListItem, NotFound>
    /** Changes the address or type. A new URL ends the verification: waiting and new deliveries are withheld until it is verified again. */
    readonly change: (
      grant: AccessGrant,
      input: HookChange
    ) => Effect.Effect<HookListItem, NotFound | Restricted | ValidationError>
    readonly settings: (grant: AccessGrant) => Effect.Effect<HookSettings, NotFound>
    /** Replaces the members that are sent. */
    readonly changeSettings: (
      grant: AccessGrant,
      input: SettingsInput
    ) => Effect.Effect<HookSettings, NotFound | InputInvalid | Restricted | ValidationError>
  }
>()("millrace/webhooks/HookConfigurations") {
  static readonly layer = Layer.effect(
    HookConfigurations,
    Effect.suspend(() => make)
  )
}

/** Distinct types in their order; null if they are just the hook's own type. */
const typesOf = (type: HookType, types: ReadonlyArray<HookType>) => {
  const distinct = [...new Set(types)]
  return distinct.length === 1 && distinct[0] === type ? null : distinct
}

const emptyAsNull = <A>(list: ReadonlyArray<A>) => (list.length === 0 ? null : list)

const neutralMembers: ReadonlySet<string> = new Set(["description", "paused"])

/** True if the save does not change the hook's saver: it only describes or pauses a hook that needs no new one. */
const leavesAuthor = (row: SettingsRow, input: SettingsInput) =>
  row.connection_ended_on === null &&
  (input.paused !== false || row.filter_problem === null) &&
  Object.keys(input).every((member) => neutralMembers.has(member))

const make = Effect.gen(function* () {
  const sql = yield* Sql
  const audit = yield* makeHookAudit
  const rules = yield* FilterRules
  const resumed = yield* makeResumeHook
  const sendingChange = yield* makeHookSettingsChange
  const { saverOf, takenOver } = yield* makeHookSaver
  const columns = sql.literal(hookColumns)
  const settingColumns = sql.literal(Object.keys(SettingsRow.fields).join(", "))

  const get = Effect.fn("HookConfigurations.get")(function* (grant: AccessGrant) {
    const hook = yield* rowOf(HookListItem)(sql`SELECT ${columns} FROM hooks WHERE hook_id = ${grant.id}`)
    return hook ?? (yield* noHook(grant.id))
  }, orSqlDefect)

  const settings = Effect.fn("HookConfigurations.settings")(function* (grant: AccessGrant) {
    const row = yield* rowOf(SettingsRow)(sql`SELECT ${settingColumns} FROM hooks WHERE hook_id = ${grant.id}`)
    return settingsOf(row ?? (yield* noHook(grant.id)))
  }, orSqlDefect)

  const changed = Effect.fnUntraced(function* (
    grant: AccessGrant,
    saver: HookSaver,
    row: SettingsRow,
    input: SettingsInput
  ) {
    const nowDate = new Date(yield* Clock.currentTimeMillis)
    const paused = input.paused ?? (row.paused_on !== null && !waitsForSaver(row))
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
    const changedRow: SettingsRow = {
      ...row,
      ...(yield* sendingChange(grant, row, input)),
      per_minute: input.per_minute === undefined ? row.per_minute : input.per_minute,
      at_once: input.at_once === undefined ? row.at_once : input.at_once,
      filter,
      only_fields,
      filter_problem: resifted || !paused ? null : row.filter_problem,
      description: input.description === undefined ? row.description : input.description || null,
      paused_on: paused ? (row.paused_on ?? nowDate) : null,
      types
    }
    if (!leavesAuthor(row, input)) {
      if (readsRecords(changedRow)) yield* mayRead(grant)
      yield* takenOver(grant.id, saver)
    }
    yield* sql`
      UPDATE hooks SET description = ${changedRow.description}, paused_on = ${changedRow.paused_on},
        types = ${changedRow.types === null ? null : [...changedRow.types]}::text[],
        filter = ${jsonOrNull(changedRow.filter)}::jsonb, only_fields = ${jsonOrNull(changedRow.only_fields)}::jsonb,
        filter_problem = ${changedRow.filter_problem}, per_minute = ${changedRow.per_minute}, at_once = ${changedRow.at_once},
        sending = ${jsonOrNull(changedRow.sending)}::jsonb, sealed = ${jsonOrNull(changedRow.sealed)}::jsonb
      WHERE hook_id = ${grant.id}`
    if (row.paused_on !== null && !paused) yield* resumed(grant)
    if ((row.paused_on !== null) !== paused) yield* audit(grant, paused ? "paused" : "resumed", { hook_id: grant.id })
    const members = Object.keys(input).filter((member) => member !== "paused")
    if (members.length > 0) yield* audit(grant, "settings_changed", { hook_id: grant.id, members })
    return settingsOf(changedRow)
  })

  const changeSettings = Effect.fn("HookConfigurations.changeSettings")(
    (grant: AccessGrant, input: SettingsInput) =>
      sql.withTransaction(
        Effect.gen(function* () {
          const saver = yield* saverOf(grant)
          const row = yield* rowOf(SettingsRow)(
            sql`SELECT ${settingColumns} FROM hooks WHERE hook_id = ${grant.id} FOR NO KEY UPDATE`
          )
          return yield* changed(grant, saver, row ?? (yield* noHook(grant.id)), input)
        })
      ),
    orSqlDefect
  )

  return HookConfigurations.of({ get, change: yield* makeHookChange, settings, changeSettings })
})
