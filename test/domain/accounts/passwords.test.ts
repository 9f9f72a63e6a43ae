// decisions O9, O22, A22: passwords are verified with the parameters that they were stored with and made anew with today's at a
// sign-in; hashing takes places that are shared by source, with one kept for who is known.
import { scryptSync } from "node:crypto"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { People } from "../../../src/domain/accounts/People.ts"
import { inPasswordSlot } from "../../../src/domain/accounts/passwordSlots.ts"
import { hashPassword, isDated, readStored, verifyPassword } from "../../../src/domain/accounts/passwords.ts"
import { browser, PASSWORD, seedPerson } from "../../interfaces/pages/support.ts"
import { appLayer } from "../../support/app.ts"

const attemptSource = { owner: "203.0.113.7", known: false }

/** A stored text with parameters of its own. */
const storedWith = (password: string, N: number, r: number, p: number) => {
  const salt = Buffer.alloc(16, 5)
  const key = scryptSync(password, salt, 32, { N, r, p, maxmem: 512 * 1024 * 1024 })
  return `scrypt$${N}$${r}$${p}$${salt.toString("base64url")}$${key.toString("base64url")}`
}

describe("O9: stored parameters", () => {
  it.effect("a password verifies with the parameters of its text, weaker, other and stronger ones", () =>
    Effect.gen(function* () {
      for (const [N, r, p] of [
        [2 ** 14, 8, 1],
        [2 ** 15, 8, 2],
        [2 ** 13, 16, 3],
        [2 ** 17, 8, 1]
      ] as const) {
        const storedHash = storedWith(PASSWORD, N, r, p)
        assert.isTrue(isDated(storedHash))
        assert.isTrue(yield* verifyPassword(PASSWORD, storedHash, attemptSource), storedHash)
        assert.isFalse(yield* verifyPassword("not the password", storedHash, attemptSource), storedHash)
      }
      const freshHash = yield* hashPassword(PASSWORD)
      assert.isFalse(isDated(freshHash))
      assert.isTrue(yield* verifyPassword(PASSWORD, freshHash, attemptSource))
      assert.isFalse(yield* verifyPassword(PASSWORD, null, attemptSource))
    })
  )

  it.effect("a text that asks for absurd work, or is none, lets nobody in and costs nothing beyond a sign-in", () =>
    Effect.gen(function* () {
      const [, , , , salt, key] = storedWith(PASSWORD, 2 ** 10, 8, 1).split("$")
      for (const cost of [
        "1073741824$8$1",
        "65536$4096$1",
        "65536$8$9999",
        "65537$8$1",
        "0$8$1",
        "16$0$1",
        "16$8$0",
        "x$8$1"
      ]) {
        const storedHash = `scrypt$${cost}$${salt}$${key}`
        assert.isUndefined(readStored(storedHash), storedHash)
        assert.isFalse(yield* verifyPassword(PASSWORD, storedHash, attemptSource), storedHash)
      }
      for (const malformedHash of [
        "",
        "scrypt",
        "bcrypt$65536$8$1$a$b",
        "scrypt$16384$8$1$$",
        `scrypt$16384$8$1$${salt}$`
      ])
        assert.isFalse(yield* verifyPassword(PASSWORD, malformedHash, attemptSource), malformedHash)
    })
  )
})

layer(appLayer(), { excludeTestServices: true })("O12: a sign-in", (it) => {
  it.effect("renews a password of older parameters when it is right, and leaves it when it is wrong", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { email, owner } = yield* seedPerson()
      const old = storedWith(PASSWORD, 2 ** 14, 8, 1)
      yield* sql`UPDATE people SET password_hash = ${old} WHERE person_id = ${owner.personId}`
      const kept = Effect.map(
        sql<{ password_hash: string }>`SELECT password_hash FROM people WHERE person_id = ${owner.personId}`,
        ([row]) => row!.password_hash
      )
      assert.strictEqual((yield* browser().signIn(email, "not the password")).status, 401)
      assert.strictEqual(yield* kept, old)
      assert.strictEqual((yield* browser().signIn(email)).path, "/")
      const renewed = yield* kept
      assert.match(renewed, /^scrypt\$65536\$8\$1\$/)
      assert.strictEqual((yield* browser().signIn(email)).path, "/")
      assert.strictEqual(yield* kept, renewed)
    })
  )

  it.effect(
    "one address has one key in every spelling that the database takes for the same, somebody's or nobody's",
    () =>
      Effect.gen(function* () {
        const people = yield* People
        const { email, owner } = yield* seedPerson()
        for (const spelled of [email, email.toUpperCase(), `  ${email} `, email.replace("i", "İ")]) {
          const { key, person } = yield* people.meant(spelled)
          assert.deepStrictEqual([key, person?.person_id], [String(owner.personId), owner.personId], spelled)
        }
        const keys = new Set<string>()
        for (const spelled of [
          "kim@nowhere.example",
          "KIM@nowhere.example",
          "\u212Aim@nowhere.example",
          "kİm@nowhere.example"
        ]) {
          const { key, person } = yield* people.meant(spelled)
          assert.isUndefined(person)
          assert.notInclude(key, "nowhere")
          keys.add(key)
        }
        assert.strictEqual(keys.size, 1)
      })
  )
})

describe("A22: places for hashing", () => {
  it.live(
    "one source has one place and a queue that ends; another begins at once; who is known waits for neither",
    () =>
      Effect.gen(function* () {
        const gates: Array<() => void> = []
        const hold = Effect.callback<string>((resume) => {
          gates.push(() => resume(Effect.succeed("done")))
        })
        const countStarted = () => gates.length
        const pause = Effect.sleep("20 millis")
        const flood = { owner: "198.51.100.1", known: false }
        const fibers = yield* Effect.forEach(Array.from({ length: 20 }), () =>
          Effect.forkChild(Effect.result(inPasswordSlot(flood)(hold)))
        )
        yield* pause
        assert.strictEqual(countStarted(), 1)
        const other = yield* Effect.forkChild(inPasswordSlot({ owner: "198.51.100.2", known: false })(hold))
        yield* pause
        assert.strictEqual(countStarted(), 2)
        // A few sources that fill their queues fill nobody else's.
        const more = yield* Effect.forEach(Array.from({ length: 100 }), (_, i) =>
          Effect.forkChild(Effect.result(inPasswordSlot({ owner: `192.0.2.${i % 5}`, known: false })(hold)))
        )
        const third = yield* Effect.forkChild(inPasswordSlot({ owner: "198.51.100.3", known: false })(hold))
        yield* pause
        assert.strictEqual(countStarted(), 2)
        const home = yield* Effect.forkChild(inPasswordSlot({ owner: 7, known: true })(hold))
        yield* pause
        // Never four: the rest of the pool of threads is for names and files.
        assert.strictEqual(countStarted(), 3)
        // Who hangs up keeps the place until the thread is done.
        const hungUp = yield* Effect.forkChild(Fiber.interrupt(other))
        yield* pause
        assert.strictEqual(countStarted(), 3)
        // 17 of the first, two more, one who is known, and of each of five the 16 that may wait.
        for (let gateIndex = 0; gateIndex < 100; gateIndex++) {
          for (let tries = 0; countStarted() <= gateIndex && tries < 500; tries++) yield* Effect.sleep("2 millis")
          gates[gateIndex]!()
        }
        const lateResults = yield* Effect.forEach(more, Fiber.join)
        assert.strictEqual(lateResults.filter((end) => end._tag === "Success").length, 80)
        yield* Fiber.await(third)
        yield* Fiber.await(home)
        yield* Fiber.await(hungUp)
        const results = yield* Effect.forEach(fibers, Fiber.join)
        assert.strictEqual(results.filter((end) => end._tag === "Success").length, 17)
        assert.strictEqual(
          results.filter((end) => end._tag === "Failure" && end.failure._tag === "PlacesFull").length,
          3
        )
      })
  )
})
