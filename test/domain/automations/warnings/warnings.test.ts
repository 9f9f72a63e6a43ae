// developer-api.md 7.13 `warnings`: what a definition alone tells beforehand, and what it must not be suspected of.
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { decodeCreate } from "../../../../src/domain/automations/input/decode.ts"
import type { Definition } from "../../../../src/domain/automations/model/Definition.ts"
import type { ValidationModel } from "../../../../src/domain/automations/schema/ValidationModel.ts"
import { fieldWarnings, scriptsOf } from "../../../../src/domain/automations/warnings/scripts.ts"
import { textWarnings } from "../../../../src/domain/automations/warnings/texts.ts"
import { unreachable } from "../../../../src/domain/automations/warnings/unreachable.ts"
import { joinedAddresses, mailboxes, withoutAddress } from "../../../../src/ground/mail/addresses.ts"

const definition = (body: object): Definition => {
  let n = 0
  const result = decodeCreate(JSON.parse(JSON.stringify({ name: "x", ...body })), () => `m${++n}`)
  if (Result.isFailure(result)) throw new Error(result.failure.message)
  return { trigger: null, filter: null, actions: [], ...result.success }
}
const state = { kind: "variable", source: "field", field_id: 14, field_type: "status" }
const is = (id: number) => ({ subject: state, operator: "is", value: { type: "ids", ids: [id] } })
const group = (operator: "and" | "or", ...rows: ReadonlyArray<object>) => ({ operator, rows })
const exit = (id: string) => ({ id, type: "exit", config: { exit_type: "success" } })
const wait = (id: string, more: object = {}) => ({ id, type: "delay", config: { delay_ms: 1000 }, ...more })
const when = (id: string, condition: object | null, then: ReadonlyArray<object>, other?: ReadonlyArray<object>) => ({
  id,
  type: "conditional",
  config: { condition, action_rows: then, ...(other === undefined ? {} : { else_action_rows: other }) }
})
const never = (...actions: ReadonlyArray<object>) =>
  [...unreachable(definition({ actions }))].map(({ action_id, code }) => [code, action_id])

describe("steps that no run reaches", () => {
  it("behind an exit, and behind a branch that ends on both sides; a deactivated exit ends nothing", () => {
    assert.deepStrictEqual(never(exit("a"), wait("b"), wait("c")), [["step_unreachable", "b"]])
    const both = when("a", group("and", is(141)), [exit("b")], [wait("c"), exit("d")])
    assert.deepStrictEqual(never(both, wait("e")), [["step_unreachable", "e"]])
    assert.deepStrictEqual(never(when("a", group("and", is(141)), [exit("b")]), wait("c")), [])
    assert.deepStrictEqual(never({ ...exit("a"), deactivate: true }, wait("b")), [])
    assert.deepStrictEqual(never(exit("a"), wait("b", { deactivate: true })), [])
  })

  it("a branch whose condition excludes itself, or matches always", () => {
    for (const condition of [
      group("and", is(141), is(142)),
      group("and", is(141), { subject: state, operator: "is_empty" }),
      group("and", { subject: state, operator: "is_completed" }, { subject: state, operator: "is_incomplete" }),
      group("and", { code: ["false"] }, is(141)),
      group("or", group("and", is(141), is(142)), { code: [" false "] })
    ]) {
      assert.deepStrictEqual(never(when("a", condition, [wait("b")], [wait("c")])), [["step_unreachable", "b"]])
    }
    const either = group("or", { subject: state, operator: "is_empty" }, { subject: state, operator: "is_not_empty" })
    for (const condition of [null, group("and"), either, group("and", { code: ["true"] })]) {
      assert.deepStrictEqual(never(when("a", condition, [wait("b")], [wait("c")])), [["step_unreachable", "c"]])
    }
  })

  it("what a run may decide is not suspected: other values, references, an empty status, values of many records", () => {
    const reference = { kind: "variable", source: "field", field_id: 15, field_type: "status" }
    const many = { ...state, collection: true }
    for (const condition of [
      group("or", is(141), is(142)),
      group("and", is(141), { subject: state, operator: "is", value: { type: "ids", ids: [reference] } }),
      group("or", { subject: state, operator: "is_completed" }, { subject: state, operator: "is_incomplete" }),
      group("and", { subject: many, operator: "is_empty" }, { subject: many, operator: "is_not_empty" }),
      group("and", { code: ["true && x"] })
    ]) {
      assert.deepStrictEqual(never(when("a", condition, [wait("b")], [wait("c")])), [])
    }
  })

  it("a branch within a branch of the same condition; not once a step may have changed what it looks at", () => {
    const condition = group("and", is(141))
    const inner = when("b", condition, [wait("c")], [wait("d")])
    assert.deepStrictEqual(never(when("a", condition, [inner])), [["step_unreachable", "d"]])
    assert.deepStrictEqual(never(when("a", condition, [], [inner])), [["step_unreachable", "c"]])
    assert.deepStrictEqual(never(when("a", condition, [wait("w"), inner])), [])
  })

  it("a filter that contradicts itself lets no run begin", () => {
    const [told] = unreachable(definition({ filter: group("and", is(141), is(142)) }))
    assert.deepStrictEqual([told?.code, told?.block_id, told?.action_id], ["filter_never_matches", "filter", null])
  })
})

describe("texts", () => {
  const fields = new Map([[14, { field_id: 14, label: "State", always_hidden: true }]])
  const model = { fields } as unknown as ValidationModel
  const warningsOf = (...actions: ReadonlyArray<object>) =>
    [...textWarnings(definition({ actions }), model)].map(({ code, message }) => [code, message])
  const mail = (config: object) => ({
    type: "send_email",
    config: { to_address: "a@b.example", subject: "s", ...config }
  })

  it("{{name}} in a text is told, braces in code are not", () => {
    assert.deepStrictEqual(warningsOf(mail({ message_body: ["<p>{{ customer.name }}</p>"] })), [
      [
        "literal_looks_like_reference",
        '"{{ customer.name }}" is text and stays as it is; a value is put in by a reference.'
      ]
    ])
    const code = "const f = () => {{ return 1 }}"
    assert.deepStrictEqual(warningsOf({ type: "custom_code", config: { code } }, mail({ subject: "{a} { {b} }" })), [])
    assert.deepStrictEqual(warningsOf({ ...mail({ subject: "{{a}}" }), deactivate: true }), [])
  })

  it("recipients that are no addresses, but never what only the run knows", () => {
    const user = { kind: "variable", source: "meta", meta_type: "created_by" }
    const mailWarnings = warningsOf(mail({ to_address: ["office, b@c.example, ", user], cc_address: ["Ann <ann>"] }))
    assert.deepStrictEqual(mailWarnings, [
      ["recipient_invalid", '`to_address`: "office" is no address.'],
      ["recipient_invalid", '`cc_address`: "Ann <ann>" is no address.']
    ])
    assert.deepStrictEqual(
      warningsOf(mail({ to_address: ["info@", user, ", Ann <", user, ">"], cc_address: [" , "] })),
      []
    )
  })

  it("a list's entries are addresses or are told, none is both", () => {
    for (const text of ['"Ann, B" <a@b.example>', "a@b.example; x", 'x, "y', "<", "a@b.example c@d.example"]) {
      const entries = text === "" ? 0 : mailboxes(text).length + withoutAddress(text).length
      assert.isAbove(entries, 0, text)
    }
    assert.deepStrictEqual(withoutAddress('"Ann, B" <a@b.example>, '), [])
  })

  it("parts that are addresses by themselves are several, parts of one stay one", () => {
    const list = (...parts: ReadonlyArray<string>) => mailboxes(joinedAddresses(parts)).map(({ address }) => address)
    const [a, b] = ["boss@example.com", "chef@example.com"] as const
    for (const parts of [
      [a, b],
      [` ${a} `, b],
      [`${a}, `, b],
      [a, "; ", b],
      [`Ann <${a}>`, `Bob <${b}>`],
      ["Ann <", a, ">", "Bob <", b, ">"],
      [`"Ann, A" <${a}>`, b],
      [`x@example.com, ${a}`, `${b}, y@example.com`],
      [a, "", b],
      ["boss", "@", "example.com", b]
    ]) {
      const addresses = list(...parts)
      assert.includeMembers(addresses, [a, b], parts.join("|"))
      assert.isEmpty(withoutAddress(joinedAddresses(parts)), parts.join("|"))
    }
    for (const [parts, address] of [
      [["orders+", "7", "@example.com"], "orders+7@example.com"],
      [["ann", "@example.com"], "ann@example.com"],
      [["Ann ", "<", a, ">"], a]
    ] as const)
      assert.deepStrictEqual(list(...parts), [address])
    assert.deepStrictEqual(warningsOf(mail({ to_address: [a, b] })), [])
  })

  it("fields that are hidden", () => {
    const [only, ...more] = warningsOf(when("a", group("and", is(141)), []))
    assert.deepStrictEqual([only?.[0], more], ["field_hidden", []])
  })
})

describe("scripts", () => {
  const number = { kind: "variable", source: "field", field_id: 11, field_type: "number" }
  const set = (assignment_type: string) => ({
    ...{ field_type: "number", variable_def: number, assignment_type },
    ...{ field_value: ["1 + ", number], code: ["$ref;"] }
  })

  it("every script is found with the way in which it runs; numbers, texts and unused code are none", () => {
    const foundScripts = [
      ...scriptsOf(
        definition({
          filter: group(
            "and",
            { id: "s", code: ["true"] },
            { subject: number, operator: "is", value: { type: "number", number: ["5"] } }
          ),
          actions: [
            { id: "code", type: "custom_code", config: { code: "return 1" } },
            { id: "set", type: "current_record_update", config: { field_assignments: [set("set"), set("set_code")] } },
            { id: "pdf", type: "create_pdf", config: { pdf_body: "a b", page_custom_width: "100 +" } }
          ]
        })
      )
    ].map(({ block_id, mode, source }) => [block_id, mode, source])
    assert.deepStrictEqual(foundScripts, [
      ["s", "sync", "true"],
      ["code", "async", "return 1"],
      ["set", "sync", "1 + $ref"],
      ["set", "sync", "1 + $ref"],
      ["set", "sync", "$ref;"],
      ["pdf", "sync", "100 +"]
    ])
  })

  it("fields that the app does not have", () => {
    const code = "return current_record.fields.weight + previous_record?.fields.wait + current_record.fields['x']"
    const scripts = scriptsOf(definition({ actions: [{ id: "a", type: "custom_code", config: { code } }] }))
    const warnedFields = [...fieldWarnings(scripts, new Set(["weight"]))]
    assert.deepStrictEqual(
      warnedFields.map(({ action_id, code, message }) => [action_id, code, message]),
      [["a", "script_field_unknown", 'The app has no field with the external id "wait", which the script reads.']]
    )
  })
})
