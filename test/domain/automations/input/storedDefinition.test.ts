// What is stored is read by the schemas of today, whatever release has written it (service.md 2.7 normalization rule 1, write
// rules 4 and 7; decisions A2).
import { createHash } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import {
  FORMAT,
  readConfig,
  readStored,
  readTrigger
} from "../../../../src/domain/automations/input/storedDefinition.ts"
import { automationSchema } from "../../../../src/domain/automations/meta/definitionSchema.ts"

/** Changes with the schemas, not with their words. */
const FINGERPRINT = { format: 12, sha256: "a418d3a3e4204f94ab086abd7567023db4e36a60820ca0516b5450a657f3b54d" }

const nothing = { format: 0, trigger: null, filter: null, actions: [] as ReadonlyArray<unknown> }
const read = (parts: Partial<typeof nothing> | Record<string, unknown>) => readStored({ ...nothing, ...parts })
const text = { kind: "variable", source: "field", field_id: 1, field_type: "single_text" }
const flags = { previous: false, collection: false, triggering: false }

const withoutWords = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutWords)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, inner]) => typeof inner !== "string" || !["description", "title", "$id"].includes(key))
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, withoutWords(inner)])
  )
}

describe("definitions of an earlier release", () => {
  it("a change of the schemas comes with a new FORMAT, so that what is stored is read anew", () => {
    const sha256 = createHash("sha256")
      .update(JSON.stringify(withoutWords(automationSchema())))
      .digest("hex")
    assert.deepStrictEqual({ format: FORMAT, sha256 }, FINGERPRINT, "raise FORMAT by one and note the new fingerprint")
  })

  it("members that are new get their defaults, those that are no more are left out, flags and groups are added", () => {
    const { definition, unreadable } = read({
      trigger: { type: "periodic", config: { time_of_day: "08:00", a_former_key: 1 } },
      filter: { operator: "and", rows: [{ id: "c", subject: text, operator: "is_empty", a_former_key: 1 }] },
      actions: [
        {
          id: "n",
          type: "conditional",
          config: { action_rows: [{ id: "m", type: "http_call", config: { http_call_url: "https://example.com" } }] }
        },
        { id: "p", type: "current_record_get_previous_revision", config: { a_former_key: 1 } }
      ]
    })
    assert.deepStrictEqual(unreadable, [])
    const [branch, previous] = definition.actions
    assert.strictEqual(branch!.group, "control_flow")
    const call = branch!.config["action_rows"][0]
    assert.deepInclude(call.config, { http_call_url: ["https://example.com"], http_call_headers: [] })
    assert.strictEqual(branch!.config["condition"], null)
    assert.deepStrictEqual(previous!.config, {})
    assert.deepInclude(definition.trigger!.config, { schedule_type: "daily", time_of_day: "08:00" })
    assert.notProperty(definition.trigger!.config, "a_former_key")
    assert.deepStrictEqual<unknown>(definition.filter!.rows, [
      { id: "c", subject: { ...text, ...flags }, operator: "is_empty" }
    ])
    assert.deepStrictEqual(readConfig("record_created", { format: 0, config: { app_id: 3 } }), {} as never)
  })

  it("rules of writing do not hold for it: an empty comparison (rule 4), a has-changed condition without operator (rule 7)", () => {
    const filter = {
      operator: "and",
      rows: [
        { id: "e", subject: { ...text, ...flags }, operator: "is", value: { type: "text", text: [] } },
        { id: "g", operator: "or", rows: [{ id: "h", subject: { ...text, ...flags } }] }
      ]
    }
    assert.deepStrictEqual(read({ filter }), {
      definition: { trigger: null, filter, actions: [] },
      unreadable: []
    } as never)
  })

  it("nodes stored without an id have the same one at every reading", () => {
    const storedDefinition = {
      filter: { operator: "and", rows: [{ code: "1" }] },
      actions: [{ type: "exit", config: { exit_type: "success" } }]
    }
    const [one, two] = [read(storedDefinition).definition, read(storedDefinition).definition]
    assert.isString(one.actions[0]!.id)
    assert.isString(one.filter!.rows[0]!.id)
    assert.deepStrictEqual(one, two)
  })

  it("each part that no longer reads is named with its place; the others are read", () => {
    const { definition, unreadable } = read({
      trigger: { type: "a_former_trigger", config: {} },
      filter: { operator: "xor", rows: [] },
      actions: [
        { id: "n", type: "exit", config: { exit_type: "success" } },
        { id: "m", type: "for_loop", config: { action_rows: [{ id: "o", type: "a_former_action", config: {} }] } },
        { id: "d", type: "delay", config: { delay_ms: 5 } }
      ]
    })
    assert.deepStrictEqual(definition, { trigger: null, filter: null, actions: [] })
    assert.deepStrictEqual(
      unreadable.map(({ action_id, block_id, code }) => [code, block_id, action_id]),
      [
        ["action_invalid", "m", "m"],
        ["action_invalid", "d", "d"],
        ["trigger_missing", "trigger", null],
        ["filter_match_type_invalid", "filter", null]
      ]
    )
    const [loop, delay, trigger, filter] = unreadable.map(({ message }) => message)
    assert.match(loop!, /can no longer be read\. actions\[1\]\.config\.action_rows\[0\]\.type: "a_former_action"/)
    assert.match(delay!, /actions\[2\]\.config\.delay_ms/)
    assert.match(trigger!, /trigger\.type: "a_former_trigger"/)
    assert.match(filter!, /filter\.operator: "xor"/)
    assert.strictEqual(readConfig("date_field_arrived", { format: 0, config: { offset_amount: -1 } }), null)
  })

  it("nothing that may be stored breaks the reading", () => {
    for (const odd of [
      undefined,
      1,
      "x",
      [],
      {},
      { type: 7 },
      { type: "periodic", config: 3 },
      { rows: 1 },
      [null],
      [[]]
    ]) {
      const { unreadable } = read({ trigger: odd, filter: odd, actions: odd as never })
      assert.isAtLeast(unreadable.length, 2, JSON.stringify(odd))
      assert.strictEqual(readTrigger(odd)._tag, "Failure")
    }
  })
})
