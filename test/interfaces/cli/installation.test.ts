// docs/operations.md, "After a restore": the operator sees the epoch and begins one by hand; no process goes on in the former.
import { once } from "node:events"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { freshDatabaseUrl } from "../../support/database.ts"
import { operate, startService } from "../../support/processes.ts"

describe("installation", () => {
  it.live("shows the epoch, begins one by hand, and every process ends to be started again", () =>
    Effect.gen(function* () {
      const url = yield* freshDatabaseUrl
      const { child, origin, output } = yield* startService(url)
      const childExit = once(child, "exit")
      const cli = (...args: ReadonlyArray<string>) => operate(url, origin, "installation", ...args)
      assert.deepInclude(yield* cli("show"), { epoch: "e1", mark: 0, reason: "the first", known_to_temporal: false })
      const newEpoch = yield* cli("new-epoch", "--reason", "the disk was put back")
      assert.match(newEpoch.epoch, /^e2-[0-9a-f]{8}$/)
      const [status] = yield* Effect.promise(() => childExit)
      assert.strictEqual(status, 1)
      const reason = `the epoch ${newEpoch.epoch} has begun: the disk was put back`
      assert.include(output(), `This process ends, to be started again: ${reason}.`)
      const shownEpoch = yield* cli("show")
      assert.deepInclude(shownEpoch, { epoch: newEpoch.epoch, reason: "the disk was put back" })
      assert.notProperty(shownEpoch, "next_start")
      const [entry] = yield* operate(url, origin, "audit", "read", "--event", "installation")
      assert.deepInclude(entry, { event: "installation.epoch_began" })
      // Started again, it goes on.
      const secondService = yield* startService(url)
      assert.isNull(secondService.child.exitCode)
    })
  )
})
