// developer-api.md 7.13: what differs between two definitions, by place; steps are known again by their ids.
import { assert, describe, it } from "@effect/vitest"
import { diffOf } from "../../../../src/domain/automations/definitions/definitionDiff.ts"
import { cpuMillis } from "../../../support/turns.ts"

const step = (id: string, config: object = {}, more: object = {}) => ({
  id,
  type: "delay",
  group: "action",
  ...more,
  config
})
const branch = (id: string, then: ReadonlyArray<object>, other: ReadonlyArray<object> = []) => ({
  ...step(id, { condition: null, action_rows: then, else_action_rows: other }),
  type: "conditional",
  group: "control_flow"
})
const definitionOf = (actions: ReadonlyArray<object>, more: object = {}) => ({
  name: "n",
  trigger: null,
  filter: null,
  ...more,
  actions
})
const brief = (before: ReadonlyArray<object>, after: ReadonlyArray<object>) =>
  diffOf(definitionOf(before), definitionOf(after)).map(({ kind, path }) => `${kind} ${path}`)

describe("developer-api.md 7.13: the difference of two definitions", () => {
  it("nothing of one with itself, members by their paths with before and after", () => {
    const oldDefinition = definitionOf([step("a", { delay_ms: 1 })])
    assert.deepStrictEqual(diffOf(oldDefinition, oldDefinition), [])
    const trigger = { type: "record_updated", config: { trigger_on_changes_field_ids: null } }
    const filter = { operator: "and", rows: [] }
    assert.deepStrictEqual(
      diffOf(oldDefinition, {
        ...definitionOf([step("a", { delay_ms: 2 }, { custom_name: "Wait" })]),
        name: "m",
        trigger,
        filter
      }),
      [
        { path: "name", kind: "changed", before: "n", after: "m" },
        { path: "trigger", kind: "changed", before: null, after: trigger },
        { path: "filter", kind: "changed", before: null, after: filter },
        { path: "actions[0].config.delay_ms", kind: "changed", action_id: "a", before: 1, after: 2 },
        { path: "actions[0].custom_name", kind: "added", action_id: "a", after: "Wait" }
      ]
    )
    // Members that are not of this release's objects are told like any other.
    assert.deepStrictEqual(diffOf(oldDefinition, { ...oldDefinition, debounce_ms: 5 } as typeof oldDefinition), [
      { path: "debounce_ms", kind: "added", after: 5 }
    ])
  })

  it("steps that are added and removed, with what is inside them as one", () => {
    const [a, b] = [step("a"), step("b")]
    const inner = branch("c", [step("d"), branch("e", [step("f")])])
    assert.deepStrictEqual(brief([a], [a, inner, b]), ["added actions[1]", "added actions[2]"])
    assert.deepStrictEqual(brief([a, inner, b], [b]), ["removed actions[0]", "removed actions[1]"])
    assert.deepStrictEqual(brief([inner], [branch("c", [step("d")])]), ["removed actions[0].config.action_rows[1]"])
  })

  it("a step that stands elsewhere has moved, its neighbours have not; what changed of it is told beside", () => {
    const [a, b, c, d] = ["a", "b", "c", "d"].map((id) => step(id))
    assert.deepStrictEqual(brief([a!, b!, c!, d!], [d!, a!, b!, c!]), ["moved actions[0]"])
    assert.deepStrictEqual(brief([a!, b!, c!, d!], [b!, c!, d!]), ["removed actions[0]"])
    assert.deepStrictEqual(
      diffOf(definitionOf([a!, branch("x", [b!])]), definitionOf([branch("x", [], [step("b", { delay_ms: 5 })]), a!])),
      [
        { path: "actions[0]", kind: "moved", action_id: "x", before: "actions[1]", after: "actions[0]" },
        {
          path: "actions[0].config.else_action_rows[0]",
          kind: "moved",
          action_id: "b",
          before: "actions[1].config.action_rows[0]",
          after: "actions[0].config.else_action_rows[0]"
        },
        { path: "actions[0].config.else_action_rows[0].config.delay_ms", kind: "added", action_id: "b", after: 5 }
      ]
    )
    // Out of a branch that is gone.
    assert.deepStrictEqual(brief([branch("x", [b!])], [b!]), ["removed actions[0]", "moved actions[0]"])
  })

  it("new ids alone are no difference: steps are then known by what they hold", () => {
    const oldSteps = [step("a", { delay_ms: 1 }), branch("b", [step("c", { delay_ms: 2 })]), step("d", { delay_ms: 3 })]
    const newSteps = [step("1", { delay_ms: 1 }), branch("2", [step("3", { delay_ms: 2 })]), step("4", { delay_ms: 4 })]
    assert.deepStrictEqual(brief(oldSteps, newSteps), ["removed actions[2]", "added actions[2]"])
  })

  it("conditions and entries like steps; assignments by their field; texts as a whole", () => {
    const row = (id: string, text: string) => ({
      id,
      subject: { kind: "variable" },
      operator: "is",
      value: { type: "text", text: [text] }
    })
    const filter = (...rows: ReadonlyArray<object>) => definitionOf([], { filter: { operator: "and", rows } })
    const rows = [row("a", "x"), row("b", "y"), row("c", "z")]
    const changed = diffOf(filter(...rows), filter(rows[2]!, rows[0]!, row("b", "w"), row("d", "v")))
    assert.deepStrictEqual(
      changed.map(({ kind, path }) => `${kind} ${path}`),
      ["moved filter.rows[0]", "changed filter.rows[2].value.text", "added filter.rows[3]"]
    )
    assert.deepStrictEqual(changed[1]?.before, ["y"])
    const assign = (field_id: number, value: string) => ({
      variable_def: { kind: "variable", field_id },
      field_value: [value]
    })
    const update = (...field_assignments: ReadonlyArray<object>) => [step("u", { field_assignments })]
    assert.deepStrictEqual(brief(update(assign(1, "a"), assign(2, "b")), update(assign(2, "c"))), [
      "removed actions[0].config.field_assignments[0]",
      "changed actions[0].config.field_assignments[0].field_value"
    ])
    const header = (key: string, value: string) => ({ id: "", key, value: [value] })
    const call = (...http_call_headers: ReadonlyArray<object>) => [step("h", { http_call_headers })]
    assert.deepStrictEqual(brief(call(header("A", "1"), header("B", "2")), call(header("A", "1"), header("B", "3"))), [
      "changed actions[0].config.http_call_headers[1].value"
    ])
  })

  it("two large definitions in an order turned round take but a moment", () => {
    const entries = Array.from({ length: 1_000 }, (_, n) => ({ id: `e${n}`, key: `k${n}`, value: ["v"] }))
    const steps = Array.from({ length: 200 }, (_, n) => step(`s${n}`, { http_call_headers: n === 0 ? entries : [] }))
    const turned = [step("s0", { http_call_headers: entries.toReversed() }), ...steps.slice(1).toReversed()]
    const differences = diffOf(definitionOf(steps), definitionOf(turned))
    assert.isBelow(
      cpuMillis(() => diffOf(definitionOf(steps), definitionOf(turned))),
      1_000
    )
    assert.strictEqual(differences.length, 999 + 198)
    assert.isTrue(differences.every(({ kind }) => kind === "moved"))
  })
})
