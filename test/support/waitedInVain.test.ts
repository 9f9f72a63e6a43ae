// A failing wait explains itself: what was waited for, how long, the machine's load, the last lines of the services that the test uses.
import { assert, it } from "@effect/vitest"
import { Cause, Effect, Exit } from "effect"
import { eventually } from "./eventually.ts"
import { tellOf, waitedInVain } from "./waitedInVain.ts"

it("names what was waited for, for how long, the load, and the last lines of each service", () => {
  const lines = Array.from({ length: 50 }, (_, n) => `line ${n}`).join("\n")
  const silence = tellOf("the service at here", () => lines)
  const { message } = waitedInVain("delivered", 90_400, "3")
  silence()
  assert.match(message, /^delivered: not within 90 s \(load \d+\.\d, \d+\.\d, \d+\.\d on \d+ cores\)\n {2}at last: 3\n/)
  assert.include(message, "the last lines of the service at here:\n    line 30\n")
  assert.notInclude(message, "line 29")
  assert.isTrue(message.endsWith("    line 49"))
  assert.notInclude(waitedInVain("delivered", 1, "").message, "the service at here")
})

it.live("is what a wait dies with", () =>
  Effect.gen(function* () {
    const exit = yield* Effect.exit(eventually("never", Effect.succeed([1]), () => false, 0))
    assert.include(Exit.isFailure(exit) ? Cause.pretty(exit.cause) : "", "never: not within 0 s (load ")
    assert.include(Exit.isFailure(exit) ? Cause.pretty(exit.cause) : "", "at last: [1]")
  })
)
