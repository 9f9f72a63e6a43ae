// decisions O12, O22: what is counted for whom, over which time.
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { SignInThrottle, throttles } from "../../../src/domain/accounts/SignInThrottle.ts"
import { SourceAddress } from "../../../src/platform/audit/AuditLog.ts"
import { layerDatabase } from "../../support/database.ts"

const virtual = Effect.provide(TestClock.layer())
const from = (address: string) => Effect.provideService(SourceAddress, address)
const times = <A, E, R>(n: number, effect: Effect.Effect<A, E, R>) =>
  Effect.forEach(Array.from({ length: n }), () => effect)
const repeated = (n: number, value: boolean) => Array<boolean>(n).fill(value)

layer(SignInThrottle.layer.pipe(Layer.provideMerge(layerDatabase)), { excludeTestServices: true })(
  "decisions O22: the throttle of sign-ins",
  (it) => {
    it.effect(
      "ten in a quarter of an hour for a person from anywhere; a known browser has ten of its own, wherever it is",
      () =>
        Effect.gen(function* () {
          const { attempt } = yield* SignInThrottle
          const stranger = attempt({ person: "1", browser: undefined })
          const home = attempt({ person: "1", browser: "home" })
          for (let i = 0; i < 10; i++) assert.isTrue(yield* from(`198.51.100.${i}`)(stranger))
          assert.isFalse(yield* from("198.51.100.99")(stranger))
          assert.deepStrictEqual(yield* times(10, from("198.51.100.1")(home)), repeated(10, true))
          assert.isFalse(yield* home)
          assert.isTrue(yield* attempt({ person: "1", browser: "work" }))
          yield* TestClock.adjust("14 minutes")
          assert.isFalse(yield* stranger)
          assert.isFalse(yield* home)
          yield* TestClock.adjust("1 minutes")
          assert.isTrue(yield* stranger)
          assert.isTrue(yield* home)
        }).pipe(virtual)
    )

    it.effect("a hundred for a source, a /64 of IPv6; what is given back was not made", () =>
      Effect.gen(function* () {
        const { attempt, giveBack, forgive } = yield* SignInThrottle
        let host = 0
        const guess = () => ({ person: `p${host}`, browser: undefined })
        const near = Effect.suspend(() => from(`2001:db8:5:5::${(++host).toString(16)}`)(attempt(guess())))
        assert.deepStrictEqual(yield* times(throttles.address.max, near), repeated(100, true))
        assert.isFalse(yield* near)
        yield* from("2001:db8:5:5::ffff")(giveBack(guess()))
        yield* from("2001:db8:5:5::ffff")(giveBack(guess()))
        assert.isTrue(yield* near)
        assert.isFalse(yield* near)
        assert.isTrue(yield* from("2001:db8:5:6::1")(attempt(guess())))

        const attacker = { person: "2", browser: undefined }
        const attemptOnce = from("203.0.113.1")(attempt(attacker))
        assert.deepStrictEqual(yield* times(11, attemptOnce), [...repeated(10, true), false])
        yield* forgive("2")
        assert.isTrue(yield* attemptOnce)
        const home = { person: "2", browser: "b2" }
        for (let i = 0; i < 15; i++) {
          assert.isTrue(yield* attempt(home))
          yield* giveBack(home)
        }
      }).pipe(virtual)
    )

    it.effect(
      "forgotten passwords: three an hour for a person, silently; a known browser has three of its own; thirty a source",
      () =>
        Effect.gen(function* () {
          const { link } = yield* SignInThrottle
          const ask = (person: string, browser?: string) => link({ person, browser })
          for (const expectedAnswer of ["allowed", "allowed", "allowed", "silent"])
            assert.strictEqual(yield* from(`192.0.2.${expectedAnswer.length}`)(ask("3")), expectedAnswer)
          for (const expectedOutcome of ["allowed", "allowed", "allowed", "silent"])
            assert.strictEqual(yield* ask("3", "home3"), expectedOutcome)
          for (let i = 0; i < 30; i++) assert.strictEqual(yield* from(`2001:db8:9:9::${i}`)(ask(`q${i}`)), "allowed")
          assert.strictEqual(yield* from("2001:db8:9:9::aaaa")(ask("q99")), "refused")
          assert.strictEqual(yield* from("2001:db8:9:9::aaaa")(ask("q99", "home9")), "allowed")
          yield* TestClock.adjust("1 hour")
          assert.strictEqual(yield* from("2001:db8:9:9::aaaa")(ask("q99")), "allowed")
        }).pipe(virtual)
    )
  }
)
