// What the editor makes of tests: results by step, marks of what was changed since, examples of values, conditions on them.
import { describe, expect, it } from "vitest"
import { conditionSentence } from "../../../../console/src/pages/automations/editor/model/conditionSentence.ts"
import {
  codeOf,
  operatorsFor,
  valueConditionOf,
  valueOperators
} from "../../../../console/src/pages/automations/editor/model/valueConditions.ts"
import {
  markOf,
  marksOf,
  noSample,
  readState,
  staleSteps,
  withSingle
} from "../../../../console/src/pages/automations/editor/sample/sampleState.ts"
import { resultsOf } from "../../../../console/src/pages/automations/editor/sample/stepResults.ts"

const step = (id: string, config: object = {}) => ({ id, type: "custom_code", config: config as never })
const entry = (action_id: string, status: string, more: object = {}) =>
  ({ action_id, status, messages: [], detail: null, ...more }) as never

describe("the sample that a browser remembers", () => {
  it("is a record or a run, and runs of tests: nothing else of what stands there is taken", () => {
    const test = { run: "7", marks: { a: "x" } }
    const text = JSON.stringify({
      sample: { kind: "record", record_id: 3, title: "The Tern" },
      all: test,
      single: { a: test, b: { run: 5 } }
    })
    expect(readState(text)).toEqual({
      sample: { kind: "record", record_id: 3, title: "The Tern" },
      all: test,
      single: { a: test }
    })
    for (const other of [null, "", "[", "3", '{"sample":{"kind":"payload","payload":{"token":"x"}}}'])
      expect(readState(other)).toEqual({ single: {} })
  })

  it("keeps the twenty latest tests of single steps", () => {
    let state = noSample
    for (let index = 0; index < 25; index++) state = withSingle(state, `s${index}`, { run: String(index), marks: {} })
    expect(Object.keys(state.single)).toEqual(Array.from({ length: 20 }, (_, at) => `s${at + 5}`))
  })
})

describe("results of a test", () => {
  const [first, second, third] = [step("first"), step("second", { code: ["1"] }), step("third")]

  it("are stale from the first changed step on; a name changes nothing", () => {
    const tested = { run: "1", marks: marksOf([first, second, third]) }
    expect(staleSteps([first, second, third], tested)).toEqual(new Set())
    expect(staleSteps([first, { ...second, config: { code: ["2"] } }, third], tested)).toEqual(
      new Set(["second", "third"])
    )
    expect(markOf({ ...second, custom_name: "Weigh" })).toBe(markOf(second))
  })

  it("are the last entry of each item; a branch tells the list that it took, a loop its items", () => {
    const inner = step("inner")
    const branch = {
      id: "branch",
      type: "conditional",
      config: { action_rows: [step("then")], else_action_rows: [inner] } as never
    }
    const loop = { id: "loop", type: "for_loop", config: { action_rows: [branch] } as never }
    const logs = [
      entry("inner", "failure", { iteration: [0], messages: [{ message: "once", level: "error" }] }),
      entry("inner", "success", { iteration: [0], detail: { outputs: { value: 1 }, duration_ms: 4 } }),
      entry("inner", "success", { iteration: [1], detail: { inputs: { in: 2 } } })
    ]
    const results = resultsOf([loop, branch, step("then"), inner], { id: "9", logs }, new Set(["inner"]))
    expect(results.get("inner")).toMatchObject({
      run: "9",
      status: "success",
      isStale: true,
      items: [
        { item: "1", outputs: { value: 1 }, millis: 4 },
        { item: "2", inputs: { in: 2 } }
      ]
    })
    expect(results.get("loop")?.items[0]?.outputs).toEqual({ items: 2 })
    expect(results.get("branch")?.items[0]?.outputs).toEqual({ took: "Otherwise" })
    expect(results.has("then")).toBe(false)
  })
})

describe("a condition on any earlier value", () => {
  const subject = { kind: "variable", source: "custom", custom_type: "any", label: "Gross" }

  it("is a script of a fixed shape, which is recognized again", () => {
    for (const operator of Object.keys(valueOperators) as ReadonlyArray<keyof typeof valueOperators>) {
      const { value: arity } = valueOperators[operator]
      const value = arity === "text" ? 'say "hi")' : arity === "code" ? [subject, " + 1"] : ""
      const code = codeOf({ subject, operator, value })
      expect(valueConditionOf({ code })).toEqual({ subject, operator, value })
    }
    expect(codeOf({ subject, operator: "at_least", value: ["1000"] })).toEqual(["(", subject, " ?? NaN) >= (1000)"])
  })

  it("reads as a condition in the sentence of its step", () => {
    const names = { label: String, apps: new Map() }
    const code = codeOf({ subject, operator: "at_least", value: ["1000"] })
    const starts = codeOf({ subject, operator: "starts_with", value: "Ahoy" })
    expect(conditionSentence({ operator: "and", rows: [{ code }, { code: starts }] }, names)).toBe(
      "Gross ≥ 1,000 and Gross starts with “Ahoy”"
    )
  })

  it("leaves other scripts as they are", () => {
    for (const code of [
      "true",
      ["true"],
      [subject],
      ["(", subject, " ?? NaN) >= (1000) || x"],
      ["String(", subject, ' ?? "") === (', subject, ")"]
    ])
      expect(valueConditionOf({ code })).toBeUndefined()
  })

  it("offers the operators of the value's type, and all where it is not known", () => {
    expect(operatorsFor("number")).toContain("at_least")
    expect(operatorsFor("number")).not.toContain("contains")
    expect(operatorsFor("any")).toEqual(Object.keys(valueOperators))
  })
})
