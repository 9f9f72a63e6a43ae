// developer-api.md 11.4: every pair of the table but files (files.test.ts), each with a value: the dry run tells what the job does, the value is
// there or its reason is, and what both ways keep is as it was.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { targetsOf } from "../../../../src/domain/records/conversion/conversionTable.ts"
import { as, createApp, field, seedWorkspace } from "../../../support/records.ts"
import { carryOut, conversionLayer } from "./support.ts"

const colors = { options: ["Red", "Blue"].map((text) => ({ text, color: "gray" })) }
const states = {
  options: [
    { text: "Open", means_completed: false },
    { text: "Done", means_completed: true }
  ]
}

interface Made {
  readonly userId: number
  readonly shipId: number
}
/** A value of each type. */
const values: Readonly<Record<string, (made: Made) => unknown>> = {
  single_text: () => "Red",
  multi_text: () => "Red",
  number: () => 7,
  single_category: () => "Red",
  multi_category: () => ["Red"],
  status: () => "Open",
  single_date: () => "2026-04-01",
  range_date: () => "2026-04-01 - 2026-04-05",
  single_relation: ({ shipId }) => shipId,
  multi_relation: ({ shipId }) => [shipId],
  single_user: ({ userId }) => userId,
  multi_user: ({ userId }) => [userId],
  checklist: () => ["Load"],
  multi_email: () => ["a@example.com"],
  multi_phone: () => ["4711"],
  multi_link: () => ["https://example.com/a"],
  single_location: () => "Pier 4"
}

/** Content of a value, without what is new each time: ids, colors, the time of a state. */
const contentOf = (entries: ReadonlyArray<any>) =>
  entries.map(({ embed_id: _, id: __, completed_at: ___, value, ...rest }) =>
    typeof value === "object" && value !== null && "text" in value ? { text: value.text } : { ...rest, value }
  )

layer(conversionLayer, { excludeTestServices: true })("developer-api.md 11.4: every pair", (it) => {
  for (const [from, valueOf] of Object.entries(values))
    it.effect(`of ${from}`, () =>
      Effect.gen(function* () {
        const { owner, workspaceId } = yield* seedWorkspace
        const call = as(owner)
        const ships = yield* createApp(owner, workspaceId, [field("single_text", "Name")], "Ships")
        const ship = yield* call("POST", `/v1/record/app/${ships.app_id}`, { fields: { name: "Swan" } })
        const seededIds = { userId: owner.userId, shipId: ship.json.record_id as number }
        const settingsOf = (type: string) =>
          type.endsWith("_relation")
            ? { referenced_apps: [{ app_id: ships.app_id }] }
            : type === "status"
              ? states
              : type.endsWith("_category")
                ? colors
                : undefined
        const required = (type: string) => (type === "status" ? { required: true } : {})
        for (const to of targetsOf(from) as ReadonlyArray<string>) {
          const pair = `${from} to ${to}`
          const app = yield* createApp(owner, workspaceId, [
            field("single_text", "Note"),
            field(from, "Value", settingsOf(from), required(from))
          ])
          const record = yield* call("POST", `/v1/record/app/${app.app_id}`, {
            fields: { note: "-", value: valueOf(seededIds) }
          })
          assert.strictEqual(record.status, 200, `${pair}: ${record.text}`)
          const { field_id } = app.fields[1]
          const shownContents = Effect.map(
            call("GET", `/v1/record/${record.json.record_id}`),
            ({ json }) => json.fields.find((one: any) => one.field_id === field_id)?.values ?? []
          )
          const formerContents = yield* shownContents
          const convert = Effect.fnUntraced(function* (type: string) {
            const settings = settingsOf(type)
            const config = { required: false, ...required(type), ...(settings === undefined ? {} : { settings }) }
            const path = `/v1/field/${field_id}/convert`
            const dry = yield* call("POST", path, { field_type: type, config, dry_run: true })
            assert.strictEqual(dry.status, 200, `${pair}: ${dry.text}`)
            const { converted, empty, failures, unconvertible } = dry.json.outcome
            const startReply = yield* call("POST", path, { field_type: type, config })
            yield* carryOut(startReply.json.job_id)
            const job = (yield* call("GET", `/v1/job/${startReply.json.job_id}`)).json
            assert.deepStrictEqual(
              [job.status, job.counts, job.report.map(({ message }: any) => message)],
              ["completed", { converted, unconvertible, empty }, failures.map(({ reason }: any) => reason)],
              pair
            )
            return converted as number
          })
          const converted = yield* convert(to)
          assert.strictEqual((yield* shownContents).length > 0, converted === 1, pair)
          const isWayBack = (targetsOf(to) as ReadonlyArray<string>).includes(from)
          if (converted === 1 && isWayBack && (yield* convert(from)) === 1)
            assert.deepStrictEqual(contentOf(yield* shownContents), contentOf(formerContents), `${pair} and back`)
        }
      })
    )
})
