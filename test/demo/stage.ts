// The organization that automations of demo/ are applied in, as `automation apply` does it: its apps, secrets and automations by their names,
// over HTTP, with a server outside and SMTP.
import { readdirSync, readFileSync } from "node:fs"
import { assert } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { parse } from "yaml"
import { PeriodicTicks } from "../../src/domain/automations/schedules/PeriodicTicks.ts"
import { apply } from "../../src/interfaces/cli/automationCommands.ts"
import { createRecord, pauseSchedule, runsOver } from "../domain/automations/runSupport.ts"
import { startSmtp } from "../platform/mail/smtp.ts"
import { App, seedOrganization } from "../support/app.ts"
import { answers, receiver as startReceiver } from "../support/receiver.ts"
import { eventually } from "../support/spine.ts"

/** The server that stands for all others, and the mail server. */
export class Outside extends Context.Service<
  Outside,
  {
    readonly receiver: Effect.Success<ReturnType<typeof startReceiver>>
    readonly smtp: Effect.Success<ReturnType<typeof startSmtp>>
  }
>()("test/demo/Outside") {
  static readonly layer = Layer.effect(
    Outside,
    Effect.gen(function* () {
      return Outside.of({ receiver: yield* startReceiver(), smtp: yield* startSmtp() })
    })
  )
}

/** The settings with which the service reaches both. */
export const outsideSettings = Effect.map(Outside, ({ receiver, smtp }) => ({
  OUTBOUND_ALLOW: receiver.hostPort,
  SMTP_URL: smtp.url,
  MAIL_FROM: "Shop <service@example.com>"
}))

type Mail = Effect.Success<ReturnType<typeof startSmtp>>["taken"][number]

export interface Play {
  /** Below demo/, with apps.yaml and automations, called ones before those that call them. */
  readonly folder: string
  /** Of the names of automations, which are applied; all where it is left out. */
  readonly only?: RegExp
  readonly secrets: (origin: string) => Readonly<Record<string, string>>
}

export const plainValue = (entry: any) => {
  const value = entry?.value ?? null
  return typeof value === "object" ? (value?.text ?? value?.filename ?? null) : value
}

export class Stage extends Context.Service<
  Stage,
  {
    readonly token: string
    readonly orgId: number
    readonly ownerId: number
    /** Of an app, field, option or automation by its name. */
    readonly id: (name: string) => number
    /** Address of an automation's trigger. */
    readonly address: (name: string) => Effect.Effect<string, never, App>
    readonly made: (app: string, fields: object) => Effect.Effect<number, never, App>
    readonly changed: (record: number, fields: object) => Effect.Effect<void, never, App>
    /** A record's first values by external id. */
    readonly read: (record: number) => Effect.Effect<Record<string, any>, never, App>
    /** Values of all live records, newest first. */
    readonly records: (app: string) => Effect.Effect<ReadonlyArray<Record<string, any>>, never, App>
    readonly titles: (app: string) => Effect.Effect<ReadonlyArray<string>, never, App>
    readonly mails: (to: string) => Effect.Effect<ReadonlyArray<Mail>>
    /** What `validate` warns of in all of them. */
    readonly warnings: ReadonlyArray<string>
  }
>()("test/demo/Stage") {
  static readonly layerOf = ({ folder, only = /^\d.*\.yaml$/, secrets }: Play) =>
    Layer.effect(
      Stage,
      Effect.gen(function* () {
        const app = yield* App
        const { receiver, smtp } = yield* Outside
        const { orgId, owner } = yield* seedOrganization("Shop")
        const token = owner.key
        const answered = Effect.fnUntraced(function* (method: string, path: string, body?: unknown) {
          const reply = yield* app.call(method, path, { token, ...(body === undefined ? {} : { body }) })
          assert.include([200, 201], reply.status, reply.text)
          return reply.json
        })
        const directory = new URL(`../../demo/${folder}/`, import.meta.url)
        const textOf = (file: string) => readFileSync(new URL(file, directory), "utf8")
        const { workspace_id } = yield* answered("POST", "/v1/workspace", { name: "Shop", type: "closed" })
        for (const [name, value] of Object.entries(secrets(receiver.origin)))
          yield* answered("POST", "/v1/secret/org", { name, value, allowed: "all" })
        const ids = new Map<string, number>()
        for (const appSpec of parse(textOf("apps.yaml"))) {
          const body = JSON.stringify({ workspace_id, ...appSpec }).replaceAll(
            /\{"\$app":"(\w+)"\}/g,
            (_, name) => `${ids.get(name)}`
          )
          const { app_id, fields } = yield* answered("POST", "/v1/app", JSON.parse(body))
          ids.set(appSpec.name, app_id)
          for (const { config, slug } of fields)
            for (const { id, text } of config.settings.options ?? []) ids.set(`${appSpec.name}.${slug}.${text}`, id)
        }
        const warnings: Array<string> = []
        const files = readdirSync(directory).filter((file) => /^\d.*\.yaml$/.test(file) && only.test(file))
        for (const file of files.toSorted()) {
          // The only address that differs.
          const text = textOf(file).replaceAll("https://outside.example.com", receiver.origin)
          const { automation_id } = yield* apply(text, undefined, undefined, false, owner.userId, orgId)
          const path = `/v1/automation/${automation_id}`
          const validity = yield* answered("GET", `${path}/validate`)
          assert.deepStrictEqual([validity.valid, validity.errors], [true, []], file)
          warnings.push(...(validity.warnings ?? []).map(({ code, message }: any) => `${file}: ${code}: ${message}`))
          yield* answered("POST", `${path}/activate`)
          // By the clock an instant might come before a test has made what it is about: every quarter of an hour at night.
          if (parse(text).trigger?.type === "periodic") yield* pauseSchedule(automation_id!)
          ids.set(file.replace(".yaml", ""), automation_id!)
        }
        const id = (name: string) => ids.get(name)!
        const valuesOf = ({ fields }: any) =>
          Object.fromEntries(fields.map(({ external_id, values }: any) => [external_id, plainValue(values[0])]))
        const listRecords = (name: string) =>
          Effect.map(
            answered("GET", `/v1/record/app/${id(name)}?limit=100`),
            ({ records }) => records as ReadonlyArray<any>
          )
        return Stage.of({
          token,
          orgId,
          ownerId: owner.userId,
          id,
          address: (name) =>
            Effect.map(
              answered("GET", `/v1/automation/${id(name)}`),
              ({ automation }) => automation.trigger.config.webhook_url
            ),
          made: (name, fields) => createRecord(token, id(name), fields),
          changed: (record, fields) => answered("PUT", `/v1/record/${record}`, { fields }),
          read: (record) => Effect.map(answered("GET", `/v1/record/${record}?include_deleted=true`), valuesOf),
          records: (name) => Effect.map(listRecords(name), (records) => records.map(valuesOf)),
          titles: (name) => Effect.map(listRecords(name), (records) => records.map(({ title }) => title)),
          mails: (to) =>
            eventually(
              `a mail to ${to}`,
              Effect.sync(() => smtp.taken.filter((taken) => taken.to.includes(to))),
              (found) => found.length > 0
            ),
          warnings
        })
      })
    )
}

export const json = (value: unknown, status = 200) =>
  answers.status(status, { "content-type": "application/json" }, JSON.stringify(value))

/** Its runs so far, all completed. */
export const ran = Effect.fnUntraced(function* (file: string, times = 1) {
  const { id } = yield* Stage
  const runs = yield* runsOver(id(file), times)
  for (const { error_message, status } of runs) assert.strictEqual(status, "completed", `${file}: ${error_message}`)
  assert.lengthOf(runs, times, file)
  return runs
})

/** The instant of a schedule comes: the automation has been active for longer than it has. */
export const due = Effect.fnUntraced(function* (file: string) {
  const sql = yield* SqlClient.SqlClient
  const ticks = yield* PeriodicTicks
  const id = (yield* Stage).id(file)
  yield* eventually(
    "armed",
    sql`SELECT 1 FROM automation_schedules WHERE automation_id = ${id}`,
    (rows) => rows.length > 0
  )
  yield* sql`UPDATE automation_schedules SET armed_on = armed_on - interval '8 days' WHERE automation_id = ${id}`
  yield* sql`UPDATE automations SET activated_on = activated_on - interval '8 days' WHERE automation_id = ${id}`
  yield* ticks.tick(id)
})
