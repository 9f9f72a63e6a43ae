// Advisory locks are told apart by their numbers alone: two of one number would keep out each other's holders.
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import * as locks from "../../../src/platform/sql/advisoryLocks.ts"

const LOCKS = "src/platform/sql/advisoryLocks.ts"

it("each has a number of its own, and all of them stand in one file", () => {
  const numbers = Object.values(locks).filter((lock) => typeof lock === "number")
  assert.strictEqual(new Set(numbers).size, numbers.length)
  const elsewhere = readdirSync("src", { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts") && join("src", path) !== LOCKS)
    .filter((path) => /\b727_?0\d\d\b/.test(readFileSync(join("src", path), "utf8")))
  assert.deepStrictEqual(elsewhere, [])
})

it("ids of more than 32 bits are numbers of locks as well", () => {
  assert.strictEqual(locks.lockKey(7), 7)
  assert.strictEqual(locks.lockKey(2 ** 31 - 1), 2 ** 31 - 1)
  assert.isBelow(locks.lockKey(999_000_000_000_001), 2 ** 31)
})
