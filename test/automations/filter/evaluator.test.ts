// The evaluator against a second, independent formulation: 26 types × 22 operators, 10,000 generated cases (decisions A6 to A12).
import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { decide, type Operand } from "../../../src/automations/filter/evaluateLeaf.ts"
import { dateOperand } from "../../../src/automations/filter/evaluateOperand.ts"
import { evaluate } from "../../../src/automations/filter/evaluateTree.ts"
import { cellSubject } from "../../../src/automations/filter/subject.ts"
import { relativeMoment, resolvedDate, storedMoment } from "../../../src/automations/values/resolveMoment.ts"
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

const CASES = 18

/** The operand as the service resolves it: the base plus nothing. */
const resolved = (operand: GeneratedOperand | null, zone: string): Operand | null => {
  if (operand?.type !== "date") return operand
  const { base, unit } = operand.date
  const moment = relativeMoment(storedMoment(base), 0, unit, zone)!
  return { type: "date", date: dateOperand(resolvedDate(moment, zone), unit, zone) }
}

const isLive = (id: number) => id !== 5

describe("evaluator of conditions", () => {
  const seed = Number(process.env["FC_SEED"] ?? Date.now() % 2 ** 31)

  it("gives the oracle's answer for every type and operator, empty and not (3.4; A8 to A11)", () => {
    let cases = 0
    const answers = { true: 0, false: 0, undefined: 0 }
    for (const [t, type] of fieldTypes.entries()) {
      for (const [o, operator] of operatorTokens.entries()) {
        const arbitrary = fc.tuple(cellOf(type), operandOf(type, operator), fc.constantFrom(...zones))
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
    const leaves = decideWith({ t: true, f: false })
    assert.isTrue(evaluate(and(out), leaves))
    assert.isTrue(evaluate(and(t, out), leaves))
    assert.isFalse(evaluate(and(f, out), leaves))
    assert.isTrue(evaluate(or(out), leaves))
    assert.isFalse(evaluate(or(f, out), leaves))
    assert.isTrue(evaluate(or(t, out), leaves))
    assert.isTrue(evaluate(or(f, and(out)), leaves))
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
