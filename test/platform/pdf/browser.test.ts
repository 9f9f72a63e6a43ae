// The browser's process ends whenever its scope does, whatever stands in its pipes (decisions P9).
import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { openBrowser } from "../../../src/platform/pdf/browser.ts"

const chromium = Option.fromUndefinedOr(process.env["CHROMIUM_PATH"])
const later = (millis: number) => Effect.promise(() => new Promise((resolve) => setTimeout(resolve, millis)))

/** Ended while `COMMANDS` texts of 100,000 characters stand unread. */
const COMMANDS = 50
const endedUnread = (stopped: boolean) =>
  Effect.scoped(
    Effect.gen(function* () {
      const { browser, pid } = yield* openBrowser(chromium)
      const page = yield* Effect.promise(() => browser.newPage())
      if (stopped) process.kill(-pid, "SIGSTOP")
      for (let i = 0; i < COMMANDS; i++) void page.evaluate("x".repeat(100_000)).catch(() => {})
    })
  )

describe("the browser's process", () => {
  it.live("takes nothing with it when it is ended with commands unread", () =>
    Effect.gen(function* () {
      const uncaught: Array<string> = []
      const listen = (error: Error) => void uncaught.push(error.message)
      process.prependListener("uncaughtException", listen)
      for (let i = 0; i < 16; i++) yield* Effect.andThen(endedUnread(i % 2 === 1), later(i))
      yield* later(100)
      process.removeListener("uncaughtException", listen)
      assert.deepStrictEqual(uncaught, [])
    })
  )
})
