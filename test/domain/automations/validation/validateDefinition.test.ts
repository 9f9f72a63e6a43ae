// developer-api.md 7.12: every broken reason, from a definition that has just that mistake; service.md 2.7 producers and pairing.
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { decodeCreate } from "../../../../src/domain/automations/input/automationBodies.ts"
import type { Definition } from "../../../../src/domain/automations/model/Definition.ts"
import { type ReasonCode, reasonCodes } from "../../../../src/domain/automations/schema/brokenReasons.ts"
import type { FieldModel, ValidationModel } from "../../../../src/domain/automations/schema/ValidationModel.ts"
import { isValid, type Purpose, validate } from "../../../../src/domain/automations/validation/validateDefinition.ts"

const APP = 1
const RELATED = 2
const STRANGE = 3
const GONE = 999

const fieldModel = (
  field_id: number,
  app_id: number,
  field_type: FieldModel["field_type"],
  more: Partial<FieldModel> = {}
): [number, FieldModel] => [
  field_id,
  {
    ...{
      field_id,
      app_id,
      label: `F${field_id}`,
      field_type,
      required: false,
      always_hidden: false,
      is_unique: false,
      end_enabled: field_type === "range_date"
    },
    ...{ option_ids: new Set<number>(), referenced_app_ids: new Set<number>(), ...more }
  }
]
const model: ValidationModel = {
  app_id: APP,
  timezone: "UTC",
  apps: new Set([APP, RELATED, STRANGE]),
  fields: new Map([
    fieldModel(10, APP, "single_text"),
    fieldModel(11, APP, "number"),
    fieldModel(12, APP, "single_date"),
    fieldModel(13, APP, "range_date"),
    fieldModel(14, APP, "status", { option_ids: new Set([141]), required: true }),
    fieldModel(15, APP, "single_user"),
    fieldModel(16, APP, "multi_relation", { referenced_app_ids: new Set([RELATED]) }),
    fieldModel(17, APP, "checklist"),
    fieldModel(18, APP, "multi_link"),
    fieldModel(19, APP, "multi_attachment"),
    fieldModel(20, RELATED, "number"),
    fieldModel(21, RELATED, "single_text", { is_unique: true }),
    fieldModel(30, STRANGE, "number")
  ]),
  edge_app_ids: new Set([RELATED]),
  users: new Set([5]),
  records: new Set([7]),
  automations: new Map([
    [
      40,
      {
        id: 40,
        app_id: APP,
        trigger_type: "automation_called",
        inputs: [{ custom_type: "any", label: "In" }],
        outputs: []
      }
    ],
    [41, { id: 41, app_id: APP, trigger_type: "record_created", inputs: [], outputs: [] }],
    [42, { id: 42, app_id: RELATED, trigger_type: "automation_called", inputs: [], outputs: [] }],
    [43, { id: 43, app_id: APP, trigger_type: "weblink_clicked", inputs: [], outputs: [] }]
  ]),
  secrets: new Set(["stripe_key"]),
  now: Date.UTC(2026, 0, 1),
  withheld: { secrets: new Set(["payroll_key"]), providers: new Set([71]), mail_accounts: new Set([81]) },
  min_spacing_ms: 300_000
}
const field = (field_id: number, more: object = {}) => ({
  kind: "variable",
  source: "field",
  field_id,
  field_type: model.fields.get(field_id)?.field_type ?? "number",
  ...more
})
const created = { type: "record_created", config: {} }
const collection = { kind: "variable", source: "action", action_type: "record_collection" }
const custom = { kind: "variable", source: "custom", custom_type: "any", label: "A" }
const collect = { id: "collect", type: "collect_app_records", config: { app_id: RELATED } }

const definition = (body: object): Definition => {
  let n = 0
  const requestBody = JSON.parse(JSON.stringify({ name: "x", trigger: created, ...body }))
  const result = decodeCreate(requestBody, () => `m${++n}`)
  if (Result.isFailure(result)) throw new Error(result.failure.message)
  return {
    trigger: result.success.trigger ?? null,
    filter: result.success.filter ?? null,
    actions: result.success.actions ?? []
  }
}
const codes = (body: object, purpose: Purpose = "validate") =>
  validate(definition(body), model, purpose).map((error) => error.code)
const act = (...actions: ReadonlyArray<object>) => ({
  actions: actions.map((action, n) => ({ id: `a${n}`, config: {}, ...action }))
})
const trigger = (type: string, config: object) => ({ trigger: { type, config } })
const where = (subject: object, operator: string, value?: object) => ({
  filter: { operator: "and", rows: [{ id: "row", subject, operator, ...(value === undefined ? {} : { value }) }] }
})
const update = (...field_assignments: ReadonlyArray<object>) =>
  act({ type: "current_record_update", config: { field_assignments } })
const set = (field_id: number, field_value: unknown, more: object = {}) => {
  const target = field(field_id)
  return { field_type: target.field_type, variable_def: target, field_value, ...more }
}
const template = (...items: ReadonlyArray<unknown>) =>
  act({ type: "current_record_comment_create", config: { comment_content: items } })
const call = (config: object) => act({ type: "current_record_call_automation", config })

const upsertBy = (...match_field_ids: ReadonlyArray<number>) =>
  act({ type: "record_create", config: { app_id: RELATED, match_field_ids } })

const mistakes: ReadonlyArray<readonly [ReasonCode, object, Purpose?]> = [
  ["trigger_missing", { trigger: undefined, ...act({ type: "exit", config: { exit_type: "success" } }) }, "activate"],
  ["actions_empty", {}, "activate"],
  ["trigger_updated_fields_empty", trigger("record_updated", { trigger_on_changes_field_ids: [] })],
  ["trigger_variable_missing", trigger("record_updated", { trigger_on_changes_field_ids: [10, GONE] })],
  ["trigger_variable_missing", trigger("record_updated", { trigger_on_changes_field_ids: [20] })],
  ["trigger_variable_missing", trigger("date_field_arrived", {})],
  ["trigger_variable_missing", trigger("date_field_arrived", { date_field_id: GONE })],
  ["trigger_variable_missing", trigger("webhook_received", { response_body: [custom] })],
  ["trigger_date_field_not_date", trigger("date_field_arrived", { date_field_id: 11 })],
  [
    "trigger_app_missing",
    trigger("automation_called", { triggering_app_ids: [GONE], triggering_app_ids_enabled: true })
  ],
  ["trigger_periodic_week_days_empty", trigger("periodic", { schedule_type: "weekly" })],
  ["trigger_periodic_month_days_empty", trigger("periodic", { schedule_type: "monthly" })],
  ["trigger_schedule_invalid", trigger("periodic", { schedule_type: "interval" })],
  [
    "trigger_schedule_invalid",
    trigger("periodic", { schedule_type: "interval", interval_amount: 4, interval_unit: "minute" })
  ],
  ["trigger_schedule_invalid", trigger("periodic", { schedule_type: "cron" })],
  ["trigger_schedule_invalid", trigger("periodic", { schedule_type: "cron", cron_expression: "0 8 * *" })],
  ["trigger_schedule_invalid", trigger("periodic", { schedule_type: "cron", cron_expression: "* * * * *" })],
  ["trigger_schedule_invalid", trigger("periodic", { schedule_type: "cron", cron_expression: "0 0 30 2 *" })],
  ["trigger_schedule_invalid", trigger("periodic", { timezone: "Mars/Base" })],
  ["trigger_schedule_invalid", trigger("periodic", { starts_at: "2030-01-02 00:00", ends_at: "2030-01-01 00:00" })],
  ["trigger_secret_missing", trigger("webhook_received", { verification: { type: "github", secret: "gone" } })],
  [
    "trigger_secret_missing",
    trigger("webhook_received", { verification: { type: "meta", secret: "stripe_key", token_secret: "gone" } })
  ],
  [
    "trigger_secret_not_allowed",
    trigger("webhook_received", { verification: { type: "bearer", secret: "payroll_key" } })
  ],
  ["filter_variable_missing", where(field(GONE), "is_empty")],
  [
    "filter_variable_missing",
    where({ kind: "variable", source: "trigger", trigger_type: "weblink_click_count" }, "is_empty")
  ],
  ["filter_value_variable_missing", where(field(11), "is", { type: "number", number: [field(GONE)] })],
  ["filter_value_variable_missing", { filter: { operator: "and", rows: [{ code: [custom] }] } }],
  ["filter_match_type_invalid", where({ ...field(10), field_type: "number" }, "is", { type: "number", number: "1" })],
  [
    "filter_app_missing",
    where({ kind: "variable", source: "meta", meta_type: "created_at", app_id: GONE }, "is_empty")
  ],
  ["filter_user_missing", where(field(15), "is", { type: "ids", ids: [GONE] })],
  [
    "filter_user_missing",
    where({ kind: "variable", source: "meta", meta_type: "created_by" }, "is", { type: "ids", ids: [GONE] })
  ],
  ["filter_record_missing", where(field(16), "has_any_of", { type: "ids", ids: [7, GONE] })],
  ["filter_option_missing", where(field(14), "is", { type: "ids", ids: [GONE] })],
  ["field_assignment_variable_missing", update({ ...set(11, "1"), variable_def: field(GONE) })],
  ["field_assignment_variable_missing", update(set(20, "1"))],
  ["field_assignment_type_invalid", update({ ...set(11, "1"), variable_def: field(10) })],
  ["field_assignment_end_date_disabled", update(set(12, { start: "2030-01-01", end: "2030-01-02" }))],
  ["field_assignment_value_missing", update(set(14, []))],
  ["field_assignment_value_missing", update(set(11, [], { assignment_type: "set_code", code: "" }))],
  ["field_assignment_value_variable_missing", update(set(11, [field(GONE)]))],
  ["field_assignment_value_variable_invalid", update(set(15, [field(11)]))],
  ["field_assignment_value_variable_invalid", update(set(12, { start: { base: field(11), amount: "1" } }))],
  ["field_assignment_value_variable_invalid", update(set(19, [field(11)]))],
  ["field_assignment_value_value_missing", update(set(18, [""]))],
  ["field_assignment_user_missing", update(set(15, [GONE]))],
  ["field_assignment_record_missing", update(set(16, [GONE]))],
  ["field_assignment_option_missing", update(set(14, [GONE]))],
  [
    "field_assignment_app_missing",
    update(set(11, [{ kind: "variable", source: "meta", meta_type: "app_record_id", app_id: GONE }]))
  ],
  ["checklist_property_value_value_missing", update(set(17, [{ title: "" }]))],
  ["checklist_property_value_variable_missing", update(set(17, [{ title: [field(GONE)] }]))],
  ["checklist_property_user_missing", update(set(17, [{ title: "a", assignee: GONE }]))],
  ["action_invalid", act({ type: "display_webpage" })],
  ["action_invalid", act({ type: "current_record_comment_or_reply_delete" })],
  ["action_invalid", { ...trigger("periodic", {}), ...act({ type: "current_record_delete" }) }],
  ["action_invalid", { ...trigger("webhook_received", {}), ...act({ type: "current_record_update" }) }],
  ["action_value_missing", act({ type: "custom_code" })],
  ["action_value_missing", act({ type: "delay" })],
  ["action_value_missing", act({ type: "exit" })],
  ["action_value_missing", act({ type: "http_call", config: { http_call_type: "get" } })],
  ["action_value_missing", template({ kind: "value", value_type: "record", record_id: GONE })],
  ["action_value_missing", template({ kind: "value", value_type: "option", field_id: 14, option_id: GONE })],
  ["action_user_missing", template({ kind: "value", value_type: "user", user_id: GONE })],
  ["action_user_missing", act({ type: "current_record_delete", config: { author_id: GONE } })],
  ["action_variable_missing", template(field(GONE))],
  ["action_variable_missing", template(field(30))],
  ["action_variable_missing", act({ type: "record_create", config: { app_id: APP, match_field_ids: [GONE] } })],
  ["action_variable_missing", act({ type: "record_create", config: { app_id: RELATED, match_field_ids: [10] } })],
  ["action_variable_missing", template(custom)],
  ["action_variable_missing", template({ kind: "variable", source: "action", action_type: "created_record" })],
  ["action_variable_missing", template({ kind: "variable", source: "action", action_type: "file_collection" })],
  ["action_variable_missing", act({ type: "clear_record_collection", config: { record_collection: collection } })],
  ["action_variable_missing", act(collect, { type: "clear_record_collection" })],
  ["action_variable_missing", act(collect, { type: "collected_records_update" })],
  ["action_variable_missing", act({ type: "for_loop" })],
  [
    "action_variable_missing",
    act(collect, {
      type: "sort_record_collection",
      config: { record_collection: collection, sorts: [{ variable_def: field(20), direction: "asc" }] }
    })
  ],
  [
    "action_variable_def_missing",
    act({
      type: "rollup_iterable_values",
      config: { rollup_type: "sum", rollup_variable_def: field(20, { collection: true }) }
    })
  ],
  ["action_variable_def_missing", act(collect, { type: "rollup_iterable_values", config: { rollup_type: "sum" } })],
  ["action_app_missing", act({ type: "record_create" })],
  ["action_app_missing", act({ type: "collect_app_records", config: { app_id: GONE } })],
  ["action_app_invalid", act({ type: "referenced_records_update", config: { app_id: STRANGE } })],
  [
    "action_secret_missing",
    act({
      type: "http_call",
      config: {
        http_call_type: "get",
        http_call_url: [
          "https://example.com/",
          ...["stripe_key", "gone"].map((name) => ({ kind: "variable", source: "secret", name }))
        ]
      }
    })
  ],
  ["action_secret_missing", act({ type: "custom_code", config: { code: ["secret('stripe_key') + secret('gone')"] } })],
  [
    "action_secret_not_allowed",
    act({
      type: "http_call",
      config: {
        http_call_type: "get",
        http_call_url: ["https://example.com/", { kind: "variable", source: "secret", name: "payroll_key" }]
      }
    })
  ],
  ["action_secret_not_allowed", act({ type: "custom_code", config: { code: ["secret('payroll_key')"] } })],
  [
    "action_provider_not_allowed",
    act({
      type: "authenticated_http_call",
      config: { http_call_type: "get", http_call_url: ["https://example.com/"], authentication_provider_id: 71 }
    })
  ],
  [
    "action_mail_account_not_allowed",
    act({ type: "send_email", config: { to_address: ["a@example.com"], subject: ["Hello"], smtp_account_id: 81 } })
  ],
  ["action_view_missing", act({ type: "collect_app_view_records", config: { app_id: RELATED } })],
  ["action_invalid", upsertBy(20)],
  ["action_variable_missing", upsertBy(21, GONE)],
  ["action_variable_missing", upsertBy(10)],
  ["action_automation_missing", call({})],
  ["action_automation_missing", call({ automation_id: GONE })],
  ["action_automation_invalid", call({ automation_id: 41 })],
  ["action_automation_invalid", call({ automation_id: 42 })],
  ["action_automation_invalid", call({ automation_id: 43 })],
  [
    "action_call_argument_invalid",
    call({ automation_id: 40, call_arguments: [{ variable_def: { custom_type: "any", label: "No" } }] })
  ]
]

describe("developer-api.md 7.12: broken reasons", () => {
  for (const [index, [code, body, purpose]] of mistakes.entries()) {
    it(`${index}: ${code}`, () => assert.deepStrictEqual(codes(body, purpose), [code]))
  }
  it("every code has its case", () => {
    const testedCodes = new Set(mistakes.map(([code]) => code))
    // Not reachable through the API: an empty comparison is a 400 on write; older stored definitions may carry one.
    assert.deepStrictEqual(
      reasonCodes.filter((code) => !testedCodes.has(code)),
      ["filter_value_value_missing"]
    )
    const storedDefinition = { ...definition(where(field(11), "is", { type: "number", number: "1" })) } as any
    storedDefinition.filter.rows[0].value.number = []
    assert.deepStrictEqual(
      validate(storedDefinition, model).map((error) => error.code),
      ["filter_value_value_missing"]
    )
  })
  it("an entry names its node: the condition, the action, the entry", () => {
    const body = {
      ...where(field(GONE), "is_empty"),
      actions: [
        {
          id: "outer",
          type: "conditional",
          config: {
            action_rows: [{ id: "inner", type: "exit", config: {} }],
            condition: { operator: "and", rows: [{ id: "deep", subject: field(GONE), operator: "is_empty" }] }
          }
        }
      ]
    }
    assert.deepStrictEqual(
      validate(definition(body), model).map(({ action_id, block_id, code }) => [code, block_id, action_id]),
      [
        ["filter_variable_missing", "row", null],
        ["filter_variable_missing", "deep", "outer"],
        ["action_value_missing", "inner", "inner"]
      ]
    )
  })
  it("`record_create` finds its record by unique fields of its app; another field is told by its label (11.2)", () => {
    assert.deepStrictEqual(codes(upsertBy(21)), [])
    const [finding] = validate(definition(upsertBy(21, 20)), model)
    assert.deepStrictEqual(
      [finding?.field_id, finding?.message],
      [20, 'Field 20, "F20", is not unique: set its `unique`, or leave it out of `match_field_ids`.']
    )
  })
  it("a deactivated step's mistakes are marked and do not count; what it would publish is not there", () => {
    const off = validate(definition(act({ type: "exit", deactivate: true })), model)
    assert.deepStrictEqual(off, [
      {
        code: "action_value_missing",
        message: "`exit_type` is not set.",
        deactivated: true,
        block_id: "a0",
        action_id: "a0"
      }
    ])
    assert.isTrue(isValid(off))
    const consumer = { type: "clear_record_collection", config: { record_collection: collection } }
    assert.deepStrictEqual(codes(act({ ...collect, deactivate: true }, consumer)), ["action_variable_missing"])
    const nested = {
      type: "conditional",
      deactivate: true,
      config: { action_rows: [{ id: "n", type: "exit", config: {} }] }
    }
    assert.isTrue(isValid(validate(definition(act(nested)), model)))
  })
})

describe("service.md 2.7: producers and consumers", () => {
  const clear = { type: "clear_record_collection", config: { record_collection: collection } }
  it("the producer stands earlier, in the same list, an enclosing one or a branch before", () => {
    assert.deepStrictEqual(codes(act(collect, clear)), [])
    assert.deepStrictEqual(codes(act(clear, collect)), ["action_variable_missing"])
    assert.deepStrictEqual(
      codes(act(collect, { type: "conditional", config: { action_rows: [{ id: "c", ...clear }] } })),
      []
    )
    assert.deepStrictEqual(codes(act({ type: "conditional", config: { action_rows: [collect] } }, clear)), [])
    const branches = { action_rows: [collect], else_action_rows: [{ id: "c", ...clear }] }
    assert.deepStrictEqual(codes(act({ type: "conditional", config: branches })), ["action_variable_missing"])
  })
  it("a collection of another app is not the one that is named", () => {
    const named = (app_id: number) => ({ ...clear, config: { record_collection: { ...collection, app_id } } })
    assert.deepStrictEqual(codes(act(collect, named(RELATED))), [])
    assert.deepStrictEqual(codes(act(collect, named(STRANGE))), ["action_variable_missing"])
  })
  it("7.6: in a loop over records an omitted collection is the current item", () => {
    const body = (iterable: object) =>
      act(collect, {
        type: "for_loop",
        config: { iterable, action_rows: [{ id: "u", type: "collected_records_update", config: {} }] }
      })
    assert.deepStrictEqual(codes(body(collection)), [])
    const list = { kind: "variable", source: "global", global_type: "current_date" }
    assert.deepStrictEqual(codes(body(list)), ["action_variable_missing"])
  })
  it("7.4: a custom reference resolves to an upstream declaration or an input of the trigger, equal in type and label", () => {
    const declare = {
      type: "custom_variable",
      config: { assignment_code: "1", custom_variable_defs: [{ custom_type: "any", label: "A" }] }
    }
    const use = { type: "current_record_comment_create", config: { comment_content: [custom] } }
    assert.deepStrictEqual(codes(act(declare, use)), [])
    assert.deepStrictEqual(codes(act(use, declare)), ["action_variable_missing"])
    const input = (on: boolean) => ({
      ...trigger("automation_called", {
        custom_variable_defs: [{ custom_type: "any", label: "A" }],
        custom_variable_defs_enabled: on
      }),
      ...act(use)
    })
    assert.deepStrictEqual(codes(input(true)), [])
    assert.deepStrictEqual(codes(input(false)), ["action_variable_missing"])
  })
  it("7.7 rule 4: a loop's conditions are for its item, the one that continues before its body, the one that breaks behind", () => {
    const declare = {
      id: "d",
      type: "custom_variable",
      config: { assignment_code: "1", custom_variable_defs: [{ custom_type: "any", label: "A" }] }
    }
    const ofItem = {
      operator: "and",
      rows: [{ id: "row", subject: field(20, { collection: true }), operator: "is_empty" }]
    }
    const customCondition = { operator: "and", rows: [{ id: "row", code: [custom] }] }
    const gathered = { operator: "and", rows: [{ id: "row", code: [{ ...collection, app_id: RELATED }] }] }
    const loop = (config: object) => act({ type: "for_loop", config: { iterable: field(16), ...config } })
    assert.deepStrictEqual(codes(loop({ action_rows: [declare], continue_condition: ofItem })), [])
    assert.deepStrictEqual(codes(loop({ action_rows: [declare], break_condition: ofItem })), [])
    assert.deepStrictEqual(codes(loop({ action_rows: [declare], break_condition: customCondition })), [])
    assert.deepStrictEqual(codes(loop({ action_rows: [collect], break_condition: gathered })), [])
    const nested = { id: "c", type: "conditional", config: { action_rows: [declare] } }
    assert.deepStrictEqual(codes(loop({ action_rows: [nested], break_condition: customCondition })), [])

    const missing = ["filter_value_variable_missing"]
    assert.deepStrictEqual(codes(loop({ action_rows: [declare], continue_condition: customCondition })), missing)
    const later = loop({ action_rows: [], break_condition: customCondition })
    assert.deepStrictEqual(codes({ actions: [...later.actions, declare] }), missing)
    const off = loop({ action_rows: [{ ...declare, deactivate: true }], break_condition: customCondition })
    assert.deepStrictEqual(codes(off), missing)
    const list = { kind: "variable", source: "global", global_type: "current_date" }
    const ofNothing = loop({ iterable: list, action_rows: [declare], continue_condition: ofItem })
    assert.deepStrictEqual(codes(ofNothing), ["filter_variable_missing"])
    const [{ action_id, block_id } = {}] = validate(definition(later), model)
    assert.deepStrictEqual([action_id, block_id], ["a0", "row"])
  })
  it("write rule 3: an operator outside the type's set passes validate", () => {
    assert.deepStrictEqual(codes(where(field(11), "contains", { type: "number", number: "1" })), [])
  })
  it("a definition with everything in its place has no errors", () => {
    const actions = [
      collect,
      {
        id: "s",
        type: "sort_record_collection",
        config: {
          record_collection: collection,
          sorts: [{ variable_def: field(20, { collection: true }), direction: "asc" }]
        }
      },
      {
        id: "u",
        type: "collected_records_update",
        config: { record_collection: collection, field_assignments: [set(20, "1")] }
      },
      {
        id: "r",
        type: "rollup_iterable_values",
        config: { rollup_type: "sum", rollup_variable_def: field(20, { collection: true }) }
      },
      { id: "e", type: "referenced_records_update", config: { app_id: RELATED, field_assignments: [set(20, "1")] } },
      {
        id: "c",
        type: "current_record_call_automation",
        config: {
          automation_id: 40,
          call_arguments: [{ variable_def: { custom_type: "any", label: "In" }, value: "x" }]
        }
      },
      { id: "w", type: "record_create", config: { app_id: STRANGE, field_assignments: [set(30, "1")] } }
    ]
    assert.deepStrictEqual(validate(definition({ actions }), model, "activate"), [])
  })
})
