// The evaluator against a second, independent formulation: 26 types × 22 operators, 10,000 generated cases (decisions A6 to A12).
import { assert, describe, it } from "@effect/vitest"
import { fromZonedTime } from "date-fns-tz"
import fc from "fast-check"
import { decide, decideAll, type Operand } from "../../../../src/domain/automations/filter/comparison.ts"
import { dateOperand } from "../../../../src/domain/automations/filter/comparisonValues.ts"
import { evaluate } from "../../../../src/domain/automations/filter/evaluateTree.ts"
import { cellSubject, subjectsOf } from "../../../../src/domain/automations/filter/subjectValues.ts"
import type { Reference } from "../../../../src/domain/automations/schema/dynamicValues.ts"
import { fieldKinds, operators } from "../../../../src/domain/automations/schema/operators.ts"
import type { PayloadDataType } from "../../../../src/domain/automations/schema/referenceTypes.ts"
import { textData } from "../../../../src/domain/automations/values/resolveData.ts"
import { relativeMoment, resolvedDate, storedMoment } from "../../../../src/domain/automations/values/resolveDates.ts"
import { payloadAt } from "../../../../src/domain/automations/values/resolvePayload.ts"
import { DEPTH, seedOf } from "../../../support/seed.ts"
import {
  cellOf,
  fieldOf,
  fieldTypes,
  fileNames,
  found,
  type GeneratedOperand,
  type Operator,
  operandOf,
  operatorTokens,
  zones
} from "./generate.ts"
import { oracle } from "./oracle.ts"

const CASES = 18 * DEPTH

/** The operand as the service resolves it: the base plus nothing. */
const resolved = (operand: GeneratedOperand | null, zone: string): Operand | null => {
  if (operand?.type !== "date") return operand
  const { base, unit } = operand.date
  const moment = relativeMoment(storedMoment(base), 0, unit, zone)!
  return { type: "date", date: dateOperand(resolvedDate(moment, zone), unit, zone) }
}

const isLive = (id: number) => id !== 5

describe("evaluator of conditions", () => {
  const seed = seedOf("FC_SEED")

  it("gives the oracle's answer for every type and operator, empty and not (3.4; A8 to A11)", () => {
    let cases = 0
    const answers = { true: 0, false: 0, undefined: 0 }
    for (const [t, type] of fieldTypes.entries()) {
      for (const [o, operator] of operatorTokens.entries()) {
        const arbitrary = cellOf(type).chain((cell) =>
          fc.tuple(fc.constant(cell), operandOf(type, operator, cell), fc.constantFrom(...zones))
        )
        for (const [cell, operand, zone] of fc.sample(arbitrary, { seed: seed + t * 31 + o, numRuns: CASES })) {
          const expected = oracle(type, cell, operator, operand, {
            fileName: (id) => (id === 5 ? undefined : fileNames[id]),
            isLive,
            completedOptions: new Set([2, 4]),
            zone
          })
          const actual = decide(cellSubject(cell, fieldOf(type), type, found), operator, resolved(operand, zone))
          assert.strictEqual(
            actual,
            expected,
            `seed ${seed}: ${type} ${operator} ${JSON.stringify({ cell, operand, zone })}`
          )
          answers[`${expected}`]++
          cases++
        }
      }
    }
    assert.isAtLeast(cases, 10_000)
    assert.isAbove(answers.true, 1_000, "the cases are not all of one kind")
    assert.isAbove(answers.undefined, 100)
  })

  it("gives it at the edges of days too, in every zone, around clock changes (3.4, A9)", () => {
    const utcText = (millis: number) => new Date(millis).toISOString().slice(0, 19).replace("T", " ")
    const facts = { fileName: () => undefined, isLive, completedOptions: new Set<number>() }
    for (const zone of zones)
      for (const day of ["2026-03-29", "2026-04-05", "2026-10-04", "2026-10-25", "2026-11-01", "2026-07-01"]) {
        const next = new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10)
        const edges = [day, next].flatMap((it) =>
          [-1, 0, 1].map((shift) => utcText(fromZonedTime(`${it}T00:00:00`, zone).getTime() + shift * 1000))
        )
        const cells = [
          ...[...edges, day, next].map((start) => ({ start })),
          ...edges.map((start) => ({ start, end: "2027-01-01 00:00:00" })),
          ...edges.map((end) => ({ start: "2025-01-01 00:00:00", end }))
        ]
        for (const unit of ["day", "hour"] as const)
          for (const base of [day, edges[1]!, edges[4]!]) {
            const operand = { type: "date", date: { base, unit } } as const
            const expectedOperand = resolved(operand, zone)
            for (const cell of cells) {
              const subject = cellSubject([cell], fieldOf("range_date"), "range_date", found)
              for (const operator of ["is", "is_not", "is_before", "is_after"] as const) {
                const expected = oracle("range_date", [cell], operator, operand, { ...facts, zone })
                if (decide(subject, operator, expectedOperand) !== expected)
                  assert.fail(`not ${expected}: ${JSON.stringify({ cell, operator, operand, zone })}`)
              }
            }
          }
      }
  })

  it("the first and the last day of the calendar have their edges as any other (3.4, A9)", () => {
    const operators = ["is", "is_not", "is_before", "is_after"] as const
    const rows: ReadonlyArray<readonly [start: string, base: string, matching: string]> = [
      ["2026-01-01 10:00:00", "9999-12-31", "is_not is_before"],
      ["2026-01-01", "9999-12-31", "is_not is_before"],
      ["9999-12-31 11:30:00", "9999-12-31", "is"],
      ["9999-12-31", "9999-12-31", "is"],
      ["9999-12-29 11:30:00", "9999-12-31", "is_not is_before"],
      ["2026-01-01 10:00:00", "0100-01-01", "is_not is_after"],
      ["2026-01-01", "0100-01-01", "is_not is_after"],
      ["0100-01-01 12:00:00", "0100-01-01", "is"],
      ["0100-01-01", "0100-01-01", "is"]
    ]
    const decided = (start: string, base: string, zone: string) => {
      const expectedOperand = resolved({ type: "date", date: { base, unit: "day" } }, zone)
      const subject = cellSubject([{ start }], fieldOf("single_date"), "single_date", found)
      return operators.filter((operator) => decide(subject, operator, expectedOperand)).join(" ")
    }
    for (const zone of ["UTC", "Europe/Vienna", "America/New_York"]) {
      for (const [start, base, matching] of rows) {
        assert.strictEqual(decided(start, base, zone), matching, `${start} against ${base} in ${zone}`)
      }
    }
    // Beyond the last day, where a zone ahead of UTC has it already.
    const beyond = "9999-12-31 23:30:00"
    assert.strictEqual(decided(beyond, beyond, "Europe/Vienna"), "is")
    assert.strictEqual(decided("9999-12-31 22:30:00", beyond, "Europe/Vienna"), "is_not is_before")
    assert.strictEqual(decided(beyond, "9999-12-31", "Europe/Vienna"), "is_not is_after")
    assert.strictEqual(decided(beyond, "9999-12-31", "America/New_York"), "is")
  })

  it("a value of another kind than the subject's matches nothing (write rule 1 keeps it out)", () => {
    const operands: ReadonlyArray<Operand> = [
      { type: "text", text: "1" },
      { type: "number", number: 1 },
      { type: "ids", ids: [1] },
      { type: "boolean", boolean: true },
      { type: "entity_type", entity_type: "reply" },
      { type: "date", date: dateOperand(resolvedDate(storedMoment("2026-07-01"), "UTC"), "day", "UTC") }
    ]
    for (const type of fieldTypes.filter((it) => it !== "calculation")) {
      const [cell] = fc.sample(
        cellOf(type).filter((it) => it.length > 0),
        { seed, numRuns: 1 }
      )
      const subject = cellSubject(cell!, fieldOf(type), type, found)
      if (decide(subject, "is_empty", null) === true) continue
      for (const operator of operatorTokens.filter((it) => operators[it].arity !== "none"))
        for (const operand of operands)
          if (operand.type !== fieldKinds[type].channels[0])
            assert.isFalse(decide(subject, operator, operand), `seed ${seed}: ${type} ${operator} ${operand.type}`)
    }
  })

  it("payload properties compare by their data type, with `any` by the value's tag (3.4)", () => {
    const payload = {
      n: 5,
      s: "5",
      t: true,
      f: "false",
      g: "true",
      d: "2026-03-29 10:00",
      day: "2026-03-29",
      x: [],
      o: { a: 1 },
      w: " A  b "
    }
    type Row = readonly [
      key: string,
      type: PayloadDataType,
      operator: Operator,
      operand: Operand | null,
      matches: boolean
    ]
    const text = (it: string): Operand => ({ type: "text", text: it })
    const number = (it: number): Operand => ({ type: "number", number: it })
    const yes = (it: boolean): Operand => ({ type: "boolean", boolean: it })
    const on = (it: string): Operand => ({
      type: "date",
      date: dateOperand(resolvedDate(storedMoment(it), "Asia/Kathmandu"), "day", "Asia/Kathmandu")
    })
    const rows: ReadonlyArray<Row> = [
      ["n", "number", "is", number(5), true],
      ["s", "number", "greater_than", number(4), true],
      ["w", "number", "is_empty", null, true],
      ["w", "number", "is_not", number(5), true],
      ["none", "number", "less_than", number(5), false],
      ["n", "text", "is", text("5"), true],
      ["w", "text", "is", text("A b"), true],
      ["w", "text", "is", text("a b"), false],
      ["w", "text", "starts_with", text("a B"), true],
      ["none", "text", "does_not_contain", text("a"), true],
      ["none", "text", "is_empty", null, true],
      ["o", "text", "contains", text('"a":1'), true],
      ["t", "boolean", "is", yes(true), true],
      ["t", "boolean", "is_not", yes(true), false],
      ["t", "boolean", "is_not", yes(false), true],
      ["f", "boolean", "is", yes(false), true],
      ["n", "boolean", "is", yes(true), false],
      ["n", "boolean", "is_not", yes(true), true],
      ["t", "boolean", "is_empty", null, false],
      ["t", "boolean", "contains", text("t"), false],
      ["d", "date", "is", on("2026-03-29"), true],
      ["d", "date", "is_before", on("2026-03-29"), false],
      ["d", "date", "is_after", on("2026-03-28"), true],
      ["day", "date", "is", on("2026-03-29"), true],
      ["s", "date", "is_empty", null, true],
      ["n", "any", "is", text("5"), true],
      ["s", "any", "is", number(5), true],
      ["s", "any", "contains", number(5), false],
      ["n", "any", "starts_with", text("5"), true],
      ["t", "any", "is", yes(true), true],
      ["g", "any", "is", yes(true), true],
      ["day", "any", "is", on("2026-03-29"), true],
      ["day", "any", "is_after", text("2026"), false],
      ["x", "any", "is_empty", null, true],
      ["o", "any", "is_not_empty", null, true],
      ["none", "any", "is_not", text("5"), true],
      ["none", "any", "is", text("5"), false]
    ]
    for (const [key, data_type, operator, operand, matches] of rows) {
      const reference = {
        kind: "variable",
        source: "trigger",
        trigger_type: "webhook_payload_property",
        key_path: [key],
        data_type
      } as unknown as Reference
      const subjects = subjectsOf(reference, payloadAt(payload, [key], data_type), found, operand?.type)
      assert.strictEqual(
        decideAll(subjects, operator, operand),
        matches,
        `${key} as ${data_type} ${operator} ${JSON.stringify(operand)}`
      )
    }
  })

  it("whether a comment or a reply: only `is` and `is_not` (3.4)", () => {
    const reference = {
      kind: "variable",
      source: "trigger",
      trigger_type: "record_comment_or_reply_entity_type"
    } as unknown as Reference
    const on = (entity: string | null, operator: Operator, wanted: "comment" | "reply" | null) =>
      decideAll(
        subjectsOf(reference, textData(entity), found, "entity_type"),
        operator,
        wanted === null ? null : { type: "entity_type", entity_type: wanted }
      )
    assert.deepStrictEqual(
      [on("reply", "is", "reply"), on("reply", "is", "comment"), on("reply", "is_not", "comment")],
      [true, false, true]
    )
    assert.deepStrictEqual([on(null, "is", "reply"), on(null, "is_not", "reply")], [false, true])
    for (const operator of operatorTokens.filter((it) => it !== "is" && it !== "is_not"))
      assert.isFalse(on("reply", operator, "reply"), operator)
  })

  it("over several records a positive operator needs one that matches, a negative one and `is_empty` all", () => {
    const decideNumbers = (operator: Operator, operand: Operand | null, ...numbers: ReadonlyArray<number | null>) =>
      decideAll(
        numbers.map((number) => ({ set: "NUM", number })),
        operator,
        operand
      )
    const numberOne: Operand = { type: "number", number: 1 }
    assert.deepStrictEqual([decideNumbers("is", numberOne, 1, 2), decideNumbers("is", numberOne, 2, 3)], [true, false])
    assert.deepStrictEqual(
      [decideNumbers("is_not", numberOne, 1, 2), decideNumbers("is_not", numberOne, 2, null)],
      [false, true]
    )
    assert.deepStrictEqual(
      [decideNumbers("is_empty", null, null, 1), decideNumbers("is_empty", null, null, null)],
      [false, true]
    )
    assert.deepStrictEqual(
      [decideNumbers("is_not_empty", null, null, 1), decideNumbers("is_not_empty", null, null)],
      [true, false]
    )
    assert.isUndefined(decideNumbers("is", null, 1, 2))
  })

  it("older names of field types take the operators of single and multiple fields (3.2)", () => {
    const has = (claimed: string, operator: Operator) =>
      decide(cellSubject([1], fieldOf("single_user"), claimed, found), operator, { type: "ids", ids: [1] })
    assert.deepStrictEqual(
      [has("contact", "has_any_of"), has("contact", "is"), has("single_user", "has_any_of")],
      [true, true, false]
    )
  })
})

describe("evaluator of trees", () => {
  const leaf = (name: string) => ({ id: name, subject: {} as never, operator: "is" as const })
  const decideWith = (results: Record<string, boolean | undefined>, scripts: Record<string, boolean> = {}) => ({
    condition: (row: { readonly id?: string }) => results[row.id!],
    script: (row: { readonly id?: string }) => scripts[row.id!]
  })
  const and = (...rows: ReadonlyArray<any>) => ({ operator: "and" as const, rows })
  const or = (...rows: ReadonlyArray<any>) => ({ operator: "or" as const, rows })

  it("leaves out what resolved to nothing; a group with none left matches (A8)", () => {
    const [t, f, out] = [leaf("t"), leaf("f"), leaf("out")]
    const comparison = decideWith({ t: true, f: false })
    assert.isTrue(evaluate(and(out), comparison))
    assert.isTrue(evaluate(and(t, out), comparison))
    assert.isFalse(evaluate(and(f, out), comparison))
    assert.isTrue(evaluate(or(out), comparison))
    assert.isFalse(evaluate(or(f, out), comparison))
    assert.isTrue(evaluate(or(t, out), comparison))
    assert.isTrue(evaluate(or(f, and(out)), comparison))
  })

  it("an empty group inside an action is always true, at any depth (A12)", () => {
    assert.isTrue(evaluate(and(), decideWith({})))
    assert.isTrue(evaluate(or(leaf("f"), and()), decideWith({ f: false })))
  })

  it("asks for a script only where it can matter", () => {
    const script = { id: "s", code: ["x"] }
    assert.isFalse(evaluate(and(script, leaf("f")), decideWith({ f: false })))
    assert.isTrue(evaluate(or(script, leaf("t")), decideWith({ t: true })))
    assert.strictEqual(evaluate(and(leaf("t"), script), decideWith({ t: true })), script)
    assert.isFalse(evaluate(and(leaf("t"), script), decideWith({ t: true }, { s: false })))
  })
})
