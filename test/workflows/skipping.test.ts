// Ninety days and more in moments (developer-api.md 7.5 rule 1, 7.6 `delay`): workflows against a server that skips the time in which
// nothing happens. Without such a server these tests are skipped.

import { afterAll, assert, describe, it } from "@effect/vitest"
import { Worker } from "@temporalio/worker"
import {
  type ActivationResult,
  Failing,
  nudge,
  type RunDirective,
  RunStatus,
  wakeRun
} from "../../src/engine/temporal/messages.ts"
import { bundlePath } from "../../src/engine/temporal/workflowBundle.ts"
import { skippingServer } from "../support/skipping.ts"

const DAY = 86_400_000
const env = await skippingServer()
afterAll(() => env?.teardown())

if (env !== null) {
  const KEYWORD = 2
  await env.connection.operatorService.addSearchAttributes({
    namespace: env.namespace ?? "default",
    searchAttributes: { [RunStatus.name]: KEYWORD, [Failing.name]: KEYWORD }
  })
}

const working = async <A>(taskQueue: string, activities: object, use: () => Promise<A>): Promise<A> => {
  const worker = await Worker.create({
    connection: env!.nativeConnection,
    taskQueue,
    workflowBundle: { codePath: await bundlePath() },
    activities
  })
  return worker.runUntil(use)
}

describe.skipIf(env === null)("long times, skipped", () => {
  it.each([90, 365])(
    "a delay of %i days ends at its instant, also when the run is woken before (7.6)",
    async (days) => {
      const lookTimes: Array<number> = []
      let until = 0
      const executeSegment = async (): Promise<RunDirective> => {
        const nowMillis = await env!.currentTimeMs()
        lookTimes.push(nowMillis)
        if (until === 0) until = nowMillis + days * DAY
        return nowMillis < until
          ? { type: "wait", until, why: "delay", details: "" }
          : { type: "done", status: "completed", reason: null, error: null, details: "" }
      }
      const taskQueue = `delay-${days}`
      const result = await working(taskQueue, { executeSegment, cancelRun: async () => {} }, async () => {
        const handle = await env!.client.workflow.start("automationRun", {
          taskQueue,
          workflowId: taskQueue,
          args: [{ runId: "1", automationId: 1, outsideQueue: "outside" }]
        })
        await env!.sleep((days - 1) * DAY)
        await handle.signal(wakeRun)
        return handle.result()
      })
      assert.deepStrictEqual(result, { status: "completed" })
      assert.strictEqual(lookTimes.length, 3, "at the beginning, when woken, at the end")
      assert.isBelow(lookTimes[1]!, until)
      assert.isAtLeast(lookTimes[2]!, until)
      assert.isBelow(lookTimes[2]! - until, 60_000)
    }
  )

  it("the calendar sleeps until its earliest date, moved ones included, however far (7.5 rule 1)", async () => {
    const lookTimes: Array<number> = []
    const begin = await env!.currentTimeMs()
    let due = begin + 200 * DAY
    const activate = async (): Promise<ActivationResult> => {
      const nowMillis = await env!.currentTimeMs()
      lookTimes.push(nowMillis)
      return { again: false, nextDueAt: nowMillis < due ? due : null, details: "", failing: false }
    }
    await working("calendar-far", { activate }, async () => {
      const handle = await env!.client.workflow.start("calendar", {
        taskQueue: "calendar-far",
        workflowId: "calendar-far",
        args: [{ id: "", heartbeatTimeoutMillis: 10_000, historyAtMost: 1_000 }]
      })
      await env!.sleep(30 * DAY)
      due = begin + 90 * DAY
      await handle.signal(nudge)
      await handle.result()
    })
    assert.strictEqual(lookTimes.length, 3)
    assert.isAtLeast(lookTimes[2]!, due)
    assert.isBelow(lookTimes[2]! - due, 60_000)
  })
})
