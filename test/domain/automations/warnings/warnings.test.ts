// developer-api.md 7.13 `warnings`: what a definition alone tells beforehand, and what it must not be suspected of.
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { decodeCreate } from "../../../../src/domain/automations/input/automationBodies.ts"
import type { Definition } from "../../../../src/domain/automations/model/Definition.ts"
import type { ValidationModel } from "../../../../src/domain/automations/schema/ValidationModel.ts"
import { creditWarnings } from "../../../../src/domain/automations/warnings/credits.ts"
import { gluedAddresses } from "../../../../src/domain/automations/warnings/gluedAddresses.ts"
import { loopsOfOne } from "../../../../src/domain/automations/warnings/loopsOfOne.ts"
import { fieldWarnings, scriptsOf } from "../../../../src/domain/automations/warnings/scripts.ts"
import { textWarnings } from "../../../../src/domain/automations/warnings/texts.ts"
import { unreachable } from "../../../../src/domain/automations/warnings/unreachable.ts"
import { joinedAddresses, mailboxes, withoutAddress } from "../../../../src/platform/mail/addresses.ts"

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

describe("addresses whose parts run into each other", () => {
  const value = { kind: "variable", source: "meta", meta_type: "record_id" }
  const secret = { kind: "variable", source: "secret", name: "key" }
  const http = (...http_call_url: ReadonlyArray<unknown>) => ({
    ...{ id: "a", type: "http_call" },
    config: { http_call_type: "get", http_call_url }
  })
  const warningsOf = (...actions: ReadonlyArray<object>) =>
    [...gluedAddresses(definition({ actions }))].map(({ code, message }) => [code, message])
  const codesOf = (...url: ReadonlyArray<unknown>) => warningsOf(http(...url)).map(([code]) => code)

  it("a value right after a word, a word right after a value, two values, a parameter without a separator", () => {
    assert.deepStrictEqual(warningsOf(http("https://api.example.com/orders", value)), [
      [
        "url_parts_glued",
        '`http_call_url`: A value follows right after "https://api.example.com/orders": put `/` or another separator between them.'
      ]
    ])
    for (const url of [
      ["https://api.example.com/orders/", value, "items"],
      ["https://api.example.com/", value, value],
      ["https://api.example.com", value],
      ["https://api.example.com", value, "/items"],
      ["https://api.example.com/orders?customer", value],
      ["https://api.example.com/orders?customer=", value, "page=2"],
      ["https://", value, "/orders", value]
    ])
      assert.deepStrictEqual(codesOf(...url), ["url_parts_glued"], JSON.stringify(url))
  })

  it("what stands apart, or may be meant so, is not told", () => {
    for (const url of [
      ["https://api.example.com/orders/", value, "/items"],
      ["https://api.example.com/orders/", value, ".json"],
      ["https://api.example.com/orders/ORD-", value],
      ["https://api.example.com/v", value, "/orders"],
      ["https://api.example.com/bot", secret, "/sendMessage"],
      ["https://api.example.com/43", value],
      ["https://api.example.com/orders?id=", value, "&key=", secret, "&page=2"],
      ["https://api.example.com/orders?q=SKU", value, "-2"],
      ["https://api.example.com/orders?range=", value, value],
      ["https://api.example.com/orders?ids[]=", value],
      ["https://", value, ".example.com/orders"],
      [value],
      [secret, "/orders"],
      ["https://shop", value, ".example.com/orders"],
      ["https://eu.example.", value, "/orders"],
      ["http://127.0.0.1:", value, "/orders"],
      ["https://api.example.com/orders"]
    ])
      assert.deepStrictEqual(codesOf(...url), [], JSON.stringify(url))
    assert.deepStrictEqual(warningsOf({ ...http("https://api.example.com/orders", value), deactivate: true }), [])
  })

  it("recipients with words between them and no comma", () => {
    const mail = (...to_address: ReadonlyArray<unknown>) =>
      warningsOf({ type: "send_email", config: { to_address, subject: "s" } }).map(([code]) => code)
    assert.deepStrictEqual(mail(value, " and ", value), ["recipients_glued"])
    assert.deepStrictEqual(mail("a@b.example, ", value, " / ", value), ["recipients_glued"])
    for (const parts of [
      [value, value],
      [value, ", ", value],
      [value, "; ", value],
      [value, "\n", value],
      [value, " ", value, " <", value, ">"],
      [value, ".", value, "@b.example"],
      ["info@", value]
    ])
      assert.deepStrictEqual(mail(...parts), [], JSON.stringify(parts))
  })
})

describe("loops of one item", () => {
  const fields = new Map([[14, { field_id: 14, app_id: 1, label: "State" }]])
  const model = { app_id: 1, fields } as unknown as ValidationModel
  const through = (iterable: object, ...before: ReadonlyArray<object>) =>
    [
      ...loopsOfOne(
        definition({
          actions: [...before, { id: "loop", type: "for_loop", config: { iterable, action_rows: [wait("w")] } }]
        }),
        model
      )
    ].map(({ action_id, code }) => [code, action_id])
  const ref = (source: string, more: object) => ({ kind: "variable", source, ...more })
  const collection = ref("action", { action_type: "record_collection", app_id: 2 })
  const collect = (id: string, more: object) => ({ id, type: "collect_app_records", config: { app_id: 2, ...more } })
  const limitOfOne = { limit: 1, limit_enabled: true }
  const loopWarning = [["loop_of_one", "loop"]]

  it("a value that is no list, the record that a step creates, a collection of one record", () => {
    assert.deepStrictEqual(through(state), loopWarning)
    assert.deepStrictEqual(through(ref("global", { global_type: "current_date" })), loopWarning)
    assert.deepStrictEqual(through(ref("meta", { meta_type: "created_at" })), loopWarning)
    const property = { trigger_type: "webhook_payload_property", key_path: ["n"], data_type: "text" }
    assert.deepStrictEqual(through(ref("trigger", property)), loopWarning)
    assert.deepStrictEqual(through(ref("action", { action_type: "created_record" })), loopWarning)
    assert.deepStrictEqual(through(collection, collect("c", limitOfOne)), loopWarning)
    assert.deepStrictEqual(
      through(ref("action", { action_type: "record_collection" }), collect("c", limitOfOne)),
      loopWarning
    )
  })

  it("lists, and what only a run knows, are not told", () => {
    for (const iterable of [
      { ...state, collection: true },
      ref("field", { field_id: 15, field_type: "multi_relation" }),
      ref("field", { field_id: 16, field_type: "checklist" }),
      ref("field", { field_id: 17, field_type: "multi_attachment" }),
      ref("trigger", { trigger_type: "webhook_payload_property", key_path: ["lines"], data_type: "any" }),
      ref("trigger", { trigger_type: "webhook_file_collection" }),
      ref("meta", { meta_type: "all_comments" }),
      ref("custom", { custom_type: "any", label: "List" })
    ])
      assert.deepStrictEqual(through(iterable), [], JSON.stringify(iterable))
    assert.deepStrictEqual(through(collection, collect("c", { limit: 1 })), [])
    assert.deepStrictEqual(through(collection, collect("c", { ...limitOfOne, limit: 2 })), [])
    assert.deepStrictEqual(through(collection, collect("c", limitOfOne), collect("d", {})), [])
    const reached = { direction: "outgoing", match_type: "all" }
    const referenced = { id: "r", type: "collect_referenced_records", config: { ref_collection_defs: [reached] } }
    assert.deepStrictEqual(through(collection, collect("c", limitOfOne), referenced), [])
  })
})

describe("actions that a run may take", () => {
  const model = { app_id: 1, fields: new Map() } as unknown as ValidationModel
  const collection = (app_id: number) => ({
    kind: "variable",
    source: "action",
    action_type: "record_collection",
    app_id
  })
  const collect = (app_id: number, more: object = {}) => ({
    ...{ id: `collect${app_id}`, type: "collect_app_records" },
    config: { app_id, ...more }
  })
  const loop = (app_id: number, ...action_rows: ReadonlyArray<object>) => ({
    ...{ id: `loop${app_id}`, type: "for_loop" },
    config: { iterable: collection(app_id), action_rows }
  })
  const manyWaits = (n: number) => Array.from({ length: n }, (_, at) => wait(`w${at}`))
  const costWarnings = (records: Record<number, number>, ...actions: ReadonlyArray<object>) => {
    const counts = new Map(Object.entries(records).map(([id, n]) => [Number(id), n]))
    return [...creditWarnings(definition({ actions }), model, counts, 10_000)].map(({ action_id, message }) => [
      action_id,
      message
    ])
  }

  it("half of those of a run by the records of now are told, at the largest loop, with what it could be", () => {
    const [[at, message] = []] = costWarnings({ 2: 900 }, collect(2), loop(2, ...manyWaits(6)))
    assert.strictEqual(at, "loop2")
    assert.match(
      message!,
      /^With the records that there are now, a run may take 5,401 of its 10,000 actions, 5,400 of them in the step "Loop"; with more records 6,001\. /
    )
    assert.lengthOf(
      costWarnings({ 2: 100, 3: 80 }, collect(2), loop(2, collect(3), { ...loop(3, wait("w")), id: "inner" })),
      1
    )
    assert.lengthOf(
      costWarnings({ 2: 1000, 3: 5 }, collect(2), collect(3), {
        ...loop(3, { id: "u", type: "collected_records_update", config: { record_collection: collection(2) } })
      }),
      1
    )
  })

  it("few records, a limit, branches that exclude each other, and lists that only a run knows are not", () => {
    assert.deepStrictEqual(costWarnings({ 2: 800 }, collect(2), loop(2, ...manyWaits(6))), [])
    assert.deepStrictEqual(
      costWarnings({ 2: 1000 }, collect(2, { limit: 50, limit_enabled: true }), loop(2, ...manyWaits(6))),
      []
    )
    const branch = when(
      "b",
      group("and", is(141)),
      [loop(2, ...manyWaits(4))],
      [{ ...loop(2, ...manyWaits(4).map(({ id, ...step }) => ({ ...step, id: `${id}x` }))), id: "other" }]
    )
    assert.deepStrictEqual(costWarnings({ 2: 1000 }, collect(2), branch), [])
    const lines = { kind: "variable", source: "trigger", trigger_type: "webhook_payload_property", key_path: ["lines"] }
    const unknown = { id: "l", type: "for_loop", config: { iterable: lines, action_rows: manyWaits(12) } }
    assert.deepStrictEqual(costWarnings({}, unknown), [])
    assert.deepStrictEqual(costWarnings({ 2: 1000 }, collect(2), { ...loop(2, ...manyWaits(9)), deactivate: true }), [])
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
