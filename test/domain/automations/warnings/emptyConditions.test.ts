// Conditions that choose records to write to and may be left out (service.md 2.7 write rule 4; decisions A27).
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { decodeCreate } from "../../../../src/domain/automations/input/automationBodies.ts"
import type { Definition } from "../../../../src/domain/automations/model/Definition.ts"
import type { FieldModel, ValidationModel } from "../../../../src/domain/automations/schema/ValidationModel.ts"
import { emptyConditions } from "../../../../src/domain/automations/warnings/emptyConditions.ts"

const field = (field_id: number, app_id: number, label: string, required = false) =>
  [field_id, { field_id, app_id, label, required, field_type: "single_text" } as FieldModel] as const
const model = {
  app_id: 1,
  fields: new Map([field(11, 1, "Name"), field(12, 1, "Number", true), field(21, 2, "Mail"), field(22, 2, "Town")])
} as unknown as ValidationModel

const definition = (body: object): Definition => {
  let n = 0
  const result = decodeCreate(JSON.parse(JSON.stringify({ name: "x", ...body })), () => `m${++n}`)
  if (Result.isFailure(result)) throw new Error(result.failure.message)
  return { trigger: null, filter: null, actions: [], ...result.success }
}

const fieldVariable = (field_id: number, more: object = {}) => ({
  ...{ kind: "variable", source: "field", field_id, field_type: "single_text" },
  ...more
})
const payload = (...key_path: ReadonlyArray<string>) => ({
  ...{ kind: "variable", source: "trigger", trigger_type: "webhook_payload_property", key_path, data_type: "text" }
})
const custom = (label: string) => ({ kind: "variable", source: "custom", custom_type: "any", label })
const collection = { kind: "variable", source: "action", action_type: "record_collection", app_id: 2 }
const and = (...rows: ReadonlyArray<object>) => ({ operator: "and", rows })
const or = (...rows: ReadonlyArray<object>) => ({ operator: "or", rows })
const is = (subject: object, ...text: ReadonlyArray<unknown>) => ({
  ...{ subject, operator: "is", value: { type: "text", text } }
})
const conditionOn = (subject: object, operator = "is_not_empty") => ({ subject, operator })
const collect = (match_condition: object | null) => ({
  ...{ id: "collect", type: "collect_app_records", config: { app_id: 2, match_condition } }
})
const write = { type: "collected_records_update", config: { record_collection: collection, field_assignments: [] } }
const wait = { type: "delay", config: { delay_ms: 1000 } }
const exit = { type: "exit", config: { exit_type: "success" } }
const when = (condition: object, then: ReadonlyArray<object>, other?: ReadonlyArray<object>) => ({
  type: "conditional",
  config: { condition, action_rows: then, ...(other === undefined ? {} : { else_action_rows: other }) }
})
const set = (label: string, ...assignment_code: ReadonlyArray<unknown>) => ({
  ...{ type: "custom_variable", config: { assignment_code, custom_variable_defs: [{ custom_type: "any", label }] } }
})
const create = (...field_value: ReadonlyArray<unknown>) => ({
  type: "record_create",
  config: {
    app_id: 1,
    field_assignments: [{ field_type: "single_text", variable_def: fieldVariable(11), field_value }]
  }
})

const byMail = is(fieldVariable(21), payload("mail"))
const warnings = (actions: ReadonlyArray<object>, filter: object | null = null) => [
  ...emptyConditions(definition({ actions, filter }), model)
]

describe("a condition that chooses records to write to", () => {
  const warnedCases: ReadonlyArray<readonly [string, ReadonlyArray<object>]> = [
    ["the collection is written to", [collect(and(byMail)), wait, write]],
    [
      "in a loop over it",
      [collect(and(byMail)), { type: "for_loop", config: { iterable: collection, action_rows: [create("x")] } }]
    ],
    ["its record stands in a value", [collect(and(byMail)), create(fieldVariable(22, { collection: true }))]],
    [
      "by way of a variable",
      [
        collect(and(byMail)),
        set("Customer", fieldVariable(22, { collection: true }), "?.[0]"),
        set("Same", "var_customer"),
        create(custom("Same"))
      ]
    ],
    [
      "by a script",
      [
        collect(and(byMail)),
        set("Who", collection),
        { type: "custom_code", config: { code: ["await api.Record.update(var_who, {})"] } }
      ]
    ],
    ["beside another condition", [collect(and(byMail, is(fieldVariable(22), "Vienna"))), write]],
    ["in an `or` of which none may be left", [collect(or(byMail, is(fieldVariable(22), payload("town")))), write]],
    ["a group within", [collect(and(or(and(byMail), is(fieldVariable(22), "Vienna")))), write]],
    [
      "a field that is not required, or as it was before",
      [collect(and(is(fieldVariable(21), fieldVariable(11)))), write]
    ],
    [
      "a code that names what only a run knows",
      [
        collect(
          and({
            subject: { ...fieldVariable(22), field_type: "number" },
            operator: "is",
            value: { type: "number", number: ["var_n"] }
          })
        ),
        write
      ]
    ],
    [
      "the filter of a collection",
      [
        { ...collect(null), id: "first" },
        {
          id: "collect",
          type: "filter_record_collection",
          config: { record_collection: collection, match_condition: and(byMail) }
        },
        write
      ]
    ],
    ["asked of something else", [when(and(conditionOn(payload("name"))), [collect(and(byMail)), write])]],
    ["where it was found empty", [when(and(conditionOn(payload("mail"))), [wait], [collect(and(byMail)), write])]]
  ]
  for (const [what, actions] of warnedCases)
    it(`is told where the value may be empty and a step writes: ${what}`, () => {
      const ownWarnings = warnings(actions).filter(
        ({ action_id }) => action_id === "collect" || what.startsWith("asked") || what.startsWith("where")
      )
      assert.isNotEmpty(ownWarnings)
      assert.isTrue(ownWarnings.every(({ code }) => code === "condition_may_be_left_out"))
    })

  const silentCases: ReadonlyArray<readonly [string, ReadonlyArray<object>, object?]> = [
    ["nothing writes", [collect(and(byMail)), wait]],
    ["what is written is something else", [collect(and(byMail)), create("x")]],
    ["another collect of the app has replaced it", [collect(and(byMail)), { ...collect(null), id: "second" }, write]],
    [
      "a literal, or a text with one in it",
      [collect(and(is(fieldVariable(21), "a@b.c"), is(fieldVariable(22), "x", payload("town")))), write]
    ],
    [
      "a required field, and what a record always has",
      [
        collect(
          and(
            is(fieldVariable(21), fieldVariable(12)),
            is(fieldVariable(22), { kind: "variable", source: "meta", meta_type: "record_id" })
          )
        ),
        write
      ]
    ],
    ["an `or` of which one is always left", [collect(or(byMail, is(fieldVariable(22), "Vienna"))), write]],
    ["the filter has asked", [collect(and(byMail)), write], and(conditionOn(payload("mail")))],
    [
      "the filter compares it with something",
      [collect(and(byMail)), write],
      and({ ...is(payload("mail"), "@"), operator: "contains" })
    ],
    ["a branch around has asked", [when(and(conditionOn(payload("mail"))), [collect(and(byMail)), write])]],
    [
      "a script around names it",
      [when(and({ code: ["trigger.webhook_payload.mail !== ''"] }), [collect(and(byMail)), write])]
    ],
    [
      "a script names the variable",
      [
        set("Mail", payload("mail")),
        when(and({ code: ["var_mail"] }), [collect(and(is(fieldVariable(21), custom("Mail")))), write])
      ]
    ],
    [
      "the run ends before, where it is empty",
      [when(and(conditionOn(payload("mail"), "is_empty")), [exit]), collect(and(byMail)), write]
    ],
    ["it is deactivated", [{ ...collect(and(byMail)), deactivate: true }, write]]
  ]
  for (const [what, actions, filter] of silentCases)
    it(`is not told: ${what}`, () => {
      assert.deepStrictEqual(warnings(actions, filter ?? null), [])
    })

  it("is named with its subject, its value and the step, once", () => {
    const [found, ...more] = warnings([collect(and(byMail)), { ...write, custom_name: "Take over" }, write])
    assert.deepStrictEqual(more, [])
    assert.deepInclude(found, { block_id: "m1", action_id: "collect" })
    assert.match(found!.message, /field "Mail".*payload property "mail" is empty.*"Take over"/)
  })
})
