// service.md 2.7 "Filter tree", developer-api.md 3.4: the 26 field types by the 22 operators, the write rules, the meta answer.
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { decodeCreate } from "../../../../src/domain/automations/input/automationBodies.ts"
import { filterCatalogue } from "../../../../src/domain/automations/meta/typeCatalogue.ts"
import {
  fieldKinds,
  fieldTypeAliases,
  isOperatorOf,
  operators
} from "../../../../src/domain/automations/schema/operators.ts"
import { fieldTypes } from "../../../../src/domain/records/fields/registry.ts"

const decode = (filter: unknown, rest: object = {}) => decodeCreate({ name: "x", filter, ...rest }, () => "minted")
const answer = (condition: object) => {
  const result = decode({ operator: "and", rows: [condition] })
  if (Result.isSuccess(result)) return { code: "accepted", message: "" }
  return {
    code: result.failure._tag === "InputInvalid" ? "input_validation" : "validation",
    message: result.failure.message
  }
}
const field = (field_type: string) => ({ kind: "variable", source: "field", field_id: 1, field_type })
const values: Record<string, object> = {
  text: { type: "text", text: "a" },
  number: { type: "number", number: "1" },
  ids: { type: "ids", ids: [1] },
  date: { type: "date", date: { amount: "1" } },
  boolean: { type: "boolean", boolean: true },
  entity_type: { type: "entity_type", entity_type: "reply" }
}

// developer-api.md 3.2 and 3.3, written down once more: channel and operator set of each type.
const sets: Record<string, ReadonlyArray<string>> = {
  TEXT: ["is", "is_not", "contains", "does_not_contain", "starts_with", "ends_with", "is_empty", "is_not_empty"],
  NUM: [
    "is",
    "is_not",
    "greater_than",
    "greater_or_equal_than",
    "less_than",
    "less_or_equal_than",
    "is_empty",
    "is_not_empty"
  ],
  ONE: ["is", "is_not", "is_any_of", "is_none_of", "is_empty", "is_not_empty"],
  STATUS: ["is", "is_not", "is_any_of", "is_none_of", "is_empty", "is_not_empty", "is_completed", "is_incomplete"],
  MANY: ["has_any_of", "has_all_of", "has_none_of", "is_exactly", "is_empty", "is_not_empty"],
  DATE: ["is", "is_not", "is_before", "is_after", "is_empty", "is_not_empty"],
  LIST: ["is", "contains", "does_not_contain", "starts_with", "ends_with", "is_empty", "is_not_empty"],
  LINK: ["contains", "does_not_contain", "starts_with", "ends_with", "is_empty", "is_not_empty"],
  LOC: ["contains", "does_not_contain", "is_empty", "is_not_empty"],
  CHECK: ["contains", "does_not_contain", "is_completed", "is_incomplete", "is_empty", "is_not_empty"]
}
const types: Record<string, readonly [ReadonlyArray<string>, ReadonlyArray<string>]> = {
  single_text: [["text"], ["TEXT"]],
  multi_text: [["text"], ["TEXT"]],
  number: [["number"], ["NUM"]],
  single_category: [["ids"], ["ONE"]],
  multi_category: [["ids"], ["MANY"]],
  status: [["ids"], ["STATUS"]],
  single_date: [["date"], ["DATE"]],
  range_date: [["date"], ["DATE"]],
  single_relation: [["ids"], ["ONE"]],
  multi_relation: [["ids"], ["MANY"]],
  single_user: [["ids"], ["ONE"]],
  multi_user: [["ids"], ["MANY"]],
  checklist: [["text"], ["CHECK"]],
  multi_email: [["text"], ["LIST"]],
  multi_phone: [["text"], ["LIST"]],
  multi_link: [["text"], ["LINK"]],
  single_location: [["text"], ["LOC"]],
  single_attachment: [["text"], ["TEXT"]],
  multi_attachment: [["text"], ["TEXT"]],
  multi_image: [["text"], ["TEXT"]],
  unique_id: [["number"], ["NUM"]],
  calculation: [
    ["text", "number", "date", "boolean"],
    ["TEXT", "NUM", "DATE"]
  ],
  created_at: [["date"], ["DATE"]],
  last_modified_at: [["date"], ["DATE"]],
  created_by: [["ids"], ["ONE"]],
  last_modified_by: [["ids"], ["ONE"]]
}

describe("developer-api.md 3.4: 26 field types by 22 operators", () => {
  it("there are 26 and 22, the same that records have", () => {
    assert.deepStrictEqual(Object.keys(fieldKinds).toSorted(), Object.keys(types).toSorted())
    assert.strictEqual(Object.keys(types).length, 26)
    assert.strictEqual(Object.keys(operators).length, 22)
    for (const { channels, operators: set, tag } of Object.values(fieldTypes) as ReadonlyArray<any>) {
      if (tag === "calculation") continue
      assert.deepStrictEqual(types[tag], [channels, [set]], tag)
    }
  })
  for (const [type, [channels, setNames]] of Object.entries(types)) {
    it(`${type}: takes ${channels.join(", ")}; matches ${setNames.join(", ")}; any other operator is stored and never matches`, () => {
      const matching = new Set(setNames.flatMap((name) => sets[name]!))
      const meta = JSON.parse(Buffer.from(filterCatalogue(type as never).body).toString())
      assert.strictEqual(meta.field_type, type)
      assert.deepStrictEqual(new Set(meta.operators.map((o: any) => o.operator)), matching)
      for (const [operator, { arity }] of Object.entries(operators)) {
        assert.strictEqual(isOperatorOf(fieldKinds[type as never], operator as never), matching.has(operator), operator)
        const condition = { id: "c", subject: field(type), operator }
        if (arity === "none") {
          assert.strictEqual(answer(condition).code, "accepted", operator)
          const refusal = answer({ ...condition, value: values[channels[0]!] })
          assert.strictEqual(
            refusal.message,
            `condition "c" at filter.rows[0]: operator \`${operator}\` takes no value`
          )
          assert.strictEqual(refusal.code, "validation")
          continue
        }
        assert.strictEqual(answer(condition).code, "validation", `${operator} without a value`)
        for (const [tag, value] of Object.entries(values)) {
          const { code, message } = answer({ ...condition, value })
          assert.strictEqual(code, channels.includes(tag) ? "accepted" : "validation", `${operator} ${tag}: ${message}`)
          if (code === "validation") {
            const expected = channels.map((channel) => `\`${channel}\``).join(" or ")
            assert.strictEqual(
              message,
              `condition "c" at filter.rows[0]: a field of type \`${type}\` takes a value of type ${expected}, not \`${tag}\``
            )
          }
        }
      }
    })
  }
  it("3.2: the older aliases are accepted, with the channel of what they stand for", () => {
    const channel: Record<string, string> = { app: "ids", contact: "ids", embed: "text", file: "text" }
    assert.deepStrictEqual(Object.keys(fieldTypeAliases), Object.keys(channel))
    for (const [alias, tag] of Object.entries(channel)) {
      const operator = tag === "ids" ? "has_any_of" : "contains"
      assert.strictEqual(answer({ subject: field(alias), operator, value: values[tag] }).code, "accepted")
      assert.strictEqual(answer({ subject: field(alias), operator, value: values["number"] }).code, "validation")
    }
  })
})

describe("service.md 2.7: write rules of the filter tree", () => {
  it("rule 1: a mismatch deep in the tree is named by id, else by JSON path, with the expected tag", () => {
    const bad = { subject: field("number"), operator: "is", value: values["text"] }
    const nested = (row: object) => ({ operator: "and", rows: [{ code: "1" }, { operator: "or", rows: [row] }] })
    const message = (filter: object) => {
      const result = decode(filter)
      return Result.isFailure(result) ? result.failure.message : ""
    }
    const text = "a field of type `number` takes a value of type `number`, not `text`"
    assert.strictEqual(message(nested(bad)), `filter.rows[1].rows[0]: ${text}`)
    assert.strictEqual(message(nested({ ...bad, id: "c7" })), `condition "c7" at filter.rows[1].rows[0]: ${text}`)
    const inAction = decodeCreate(
      { name: "x", actions: [{ type: "conditional", config: { condition: nested(bad) } }] },
      () => "m"
    )
    assert.isTrue(Result.isFailure(inAction))
    assert.match(
      Result.isFailure(inAction) ? inAction.failure.message : "",
      /^actions\[0\]\.config\.condition\.rows\[1\]\.rows\[0\]: /
    )
  })
  it("rule 2: an empty comparison value is a 400, whatever its channel", () => {
    const empties: ReadonlyArray<readonly [string, object]> = [
      ["single_text", { type: "text", text: [] }],
      ["single_text", { type: "text", text: [" ", ""] }],
      ["number", { type: "number", number: "" }],
      ["status", { type: "ids", ids: [] }],
      ["single_date", { type: "date", date: { amount: "" } }]
    ]
    for (const [type, value] of empties) {
      const { code, message } = answer({ subject: field(type), operator: "is", value })
      assert.strictEqual(code, "validation")
      assert.strictEqual(message, "filter.rows[0]: the comparison value is empty; operator `is` needs one")
    }
    assert.strictEqual(answer({ code: " " }).code, "validation")
  })
  it("3.4: `is` and `is_not` take exactly one id", () => {
    const value = { type: "ids", ids: [1, 2] }
    assert.match(
      answer({ subject: field("single_user"), operator: "is_not", value }).message,
      /takes exactly one id, not 2$/
    )
    assert.strictEqual(answer({ subject: field("single_user"), operator: "is_any_of", value }).code, "accepted")
  })
  it("date values: base, operator and unit have defaults, written out; a bare number and foreign tokens are a 400", () => {
    const subject = field("single_date")
    const read = decode({ operator: "and", rows: [{ subject, operator: "is", value: values["date"] }] })
    assert.deepStrictEqual(Result.isSuccess(read) && (read.success.filter!.rows[0] as any).value, {
      type: "date",
      date: {
        base: { kind: "variable", source: "global", global_type: "current_date" },
        operator: "plus",
        unit: "day",
        amount: ["1"]
      }
    })
    for (const date of [{ amount: 1 }, { amount: "1", unit: "year" }, { amount: "1", operator: "times" }, {}]) {
      const { code, message } = answer({ id: "d", subject, operator: "is", value: { type: "date", date } })
      assert.strictEqual(code, "input_validation")
      assert.match(message, /^condition "d" at filter\.rows\[0\]\.value\.date\.(amount|unit|operator): /)
    }
  })
  it("rule 5: an empty group is a 400 in the automation's filter, at any depth, and allowed inside an action", () => {
    const empty = { operator: "and", rows: [] }
    for (const filter of [empty, { operator: "and", rows: [empty] }]) {
      assert.isTrue(Result.isFailure(decode(filter)))
      const inside = decode(null, { actions: [{ type: "conditional", config: { condition: filter } }] })
      assert.isTrue(Result.isSuccess(inside))
    }
    assert.isTrue(Result.isSuccess(decode(null)))
  })
  it("rule 6: what may be a subject, and what is a 400", () => {
    const variableOf = (source: string, more: object) => ({ kind: "variable", source, ...more })
    const good: ReadonlyArray<readonly [object, string]> = [
      [variableOf("meta", { meta_type: "app_record_id" }), "number"],
      [variableOf("meta", { meta_type: "created_at" }), "date"],
      [variableOf("meta", { meta_type: "last_modified_at" }), "date"],
      [variableOf("meta", { meta_type: "created_by" }), "ids"],
      [variableOf("meta", { meta_type: "last_modified_by" }), "ids"],
      ...(["text", "number", "date", "boolean"] as const).map(
        (data_type) =>
          [
            variableOf("trigger", { trigger_type: "webhook_payload_property", key_path: ["a", 0], data_type }),
            data_type
          ] as const
      ),
      [variableOf("trigger", { trigger_type: "record_comment_or_reply_entity_type" }), "entity_type"],
      [variableOf("trigger", { trigger_type: "record_comment_or_reply_content" }), "text"],
      [variableOf("trigger", { trigger_type: "record_comment_or_reply_created_by" }), "ids"],
      [variableOf("trigger", { trigger_type: "record_comment_or_reply_attachments" }), "text"],
      [variableOf("trigger", { trigger_type: "record_comment_or_reply_id" }), "number"],
      [variableOf("trigger", { trigger_type: "weblink_click_count" }), "number"],
      [variableOf("trigger", { trigger_type: "weblink_created_at" }), "date"],
      [variableOf("trigger", { trigger_type: "periodic_execution_datetime" }), "date"],
      [variableOf("trigger", { trigger_type: "webhook_file_collection" }), "text"],
      [variableOf("action", { action_type: "file_collection" }), "text"]
    ]
    for (const [subject, tag] of good) {
      for (const [other, value] of Object.entries(values)) {
        const expected = other === tag ? "accepted" : "validation"
        assert.strictEqual(answer({ subject, operator: "is", value }).code, expected, JSON.stringify([subject, other]))
      }
    }
    const any = variableOf("trigger", { trigger_type: "webhook_payload_property", key_path: ["a"] })
    for (const tag of ["text", "number", "date", "boolean"]) {
      assert.strictEqual(answer({ subject: any, operator: "is", value: values[tag] }).code, "accepted")
    }
    const bad = [
      ...["record_id", "record_url", "revision", "all_comments"].map((meta_type) => variableOf("meta", { meta_type })),
      variableOf("trigger", { trigger_type: "webhook_payload" }),
      variableOf("global", { global_type: "current_date" }),
      variableOf("custom", { custom_type: "any", label: "A" }),
      variableOf("action", { action_type: "record_collection" }),
      variableOf("action", { action_type: "created_record" })
    ]
    for (const subject of bad) {
      const { code, message } = answer({ id: "s", subject, operator: "is_empty" })
      assert.strictEqual(code, "validation")
      assert.match(message, /^condition "s" at filter\.rows\[0\]: .* cannot be compared$/)
    }
  })
  it("rule 7: a has-changed condition that is sent back is refused as read-only, wherever it stands", () => {
    const tracking = { id: "c", subject: field("single_text") }
    const { code, message } = answer(tracking)
    assert.strictEqual(code, "validation")
    assert.strictEqual(
      message,
      'condition "c" at filter.rows[0]: a has-changed condition is read-only and cannot be sent back; remove it'
    )
    const deep = answer({ operator: "or", rows: [{ subject: field("single_text") }] })
    assert.match(deep.message, /^filter\.rows\[0\]\.rows\[0\]: a has-changed condition is read-only/)
    // What only forgot its operator is another mistake.
    assert.strictEqual(answer({ subject: field("single_text"), value: values["text"] }).code, "input_validation")
  })
  it("ids: nested nodes get one, the root has none, sent ones are kept", () => {
    const read = decode({
      id: "root",
      operator: "or",
      rows: [{ code: "1" }, { id: "g", operator: "and", rows: [{ id: "s", code: "2" }] }]
    })
    assert.deepStrictEqual(Result.isSuccess(read) && read.success.filter, {
      operator: "or",
      rows: [
        { id: "minted", code: ["1"] },
        { id: "g", operator: "and", rows: [{ id: "s", code: ["2"] }] }
      ]
    })
  })
})
