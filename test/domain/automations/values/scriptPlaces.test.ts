// An error of a script names the line and the column of the text that its author wrote (developer-api.md 8.1), wherever scripts stand.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { spineLayer } from "../../../support/spine.ts"
import { assignCode, compute, order, ref, runSteps, seedWorld, update } from "../actions/support.ts"

const block = (...code: ReadonlyArray<unknown>) => ({ type: "custom_code", config: { code } })

layer(spineLayer(), { excludeTestServices: true })("places of errors in scripts", (it) => {
  it.effect("a run's error names line and column of the author's text, in which a reference is one character", () =>
    Effect.gen(function* () {
      const world = yield* seedWorld
      const id = yield* order(world, { name: "Bolts", amount: 2.5 })
      const name = ref(world, "name")
      const steps: ReadonlyArray<readonly [step: object, message: RegExp]> = [
        [block("const a = 1\n  a.b.c()"), /reading 'c'\) \(line 2, column 7\)$/],
        // "return [R, R, null.x]"
        [block("return [", name, ", ", name, ", null.x]"), /\(line 1, column 20\)$/],
        // "const a = R" and below "return R.none()"
        [block("const a = ", name, "\nreturn ", name, ".none()"), /is not a function \(line 2, column 10\)$/],
        [
          block("const f = (g) => g()\nreturn f(() => {\n  throw new Error('no')\n})"),
          /^Error: no \(line 3, column 9\)$/
        ],
        [block("await sleep(1)\nawait api.App.get(987654321)"), /\(line 2, column 15\)$/],
        [block("return 1 +"), /^SyntaxError: Unexpected end of input \(line 1, column 11\)$/],
        [compute("a", "(() => {\n  return ", name, " + null.x\n})()"), /\(line 2, column 19\)$/],
        [compute("a", "_.map([1], (n) => n.x.y)"), /\(line 1, column 23\)$/],
        [update(assignCode(name, ["JSON.parse(", name, ")"])), /not valid JSON \(line 1, column 6\)$/],
        [update(assignCode(ref(world, "amount"), [name, ".x.y"])), /reading 'y'\) \(line 1, column 5\)$/],
        [
          {
            type: "conditional",
            config: { condition: { operator: "and", rows: [{ code: ["1 &&\n", name, ".a.b"] }] }, action_rows: [] }
          },
          /reading 'b'\) \(line 2, column 5\)/
        ]
      ]
      for (const [step, message] of steps) {
        const run = yield* runSteps(world, id, [step])
        assert.strictEqual(run.status, "failed", JSON.stringify(step))
        assert.match(run.error_message!, message, JSON.stringify(step))
      }
    })
  )
})
