// Short versions of `npm run disturb`: two kills, three seconds away, time-outs shortened; real processes of their own
// (issues: two commands, webhooks that never go missing; decisions A1, W3, W10).
import { spawnSync } from "node:child_process"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { momentsOf } from "../../bench/disturb/chance.ts"
import { type Disturbance, disturb } from "../../bench/disturb/disturb.ts"
import { all } from "../../bench/disturb/loads/all.ts"
import { MINUTE, scheduleFaults, stamp } from "../../bench/disturb/loads/scheduleFaults.ts"
import { RELEASE_BEFORE } from "../../bench/disturb/releases.ts"
import { seedOf } from "../support/seed.ts"

const quick = JSON.stringify({
  heartbeatTimeoutMillis: 3000,
  heartbeatEveryMillis: 300,
  sweepEveryMillis: 1000,
  sweepCalledAfterMillis: 1000,
  sweepAsleepAfterMillis: 1000
})

const seed = seedOf("DISTURB_SEED")

const short = (part: Disturbance["part"]): Disturbance => ({
  load: all,
  part,
  seed,
  kills: 2,
  durationMillis: 5_000,
  awayMillis: 3_000,
  workers: 4,
  leastSteps: 4,
  rate: 20,
  patienceMillis: 90_000,
  size: "small",
  env: { ACTOR_TUNING: quick }
})

describe(`the end state is the undisturbed one (seed ${seed})`, () => {
  for (const part of ["service", "postgres", "temporal"] as const) {
    it.live(
      `W10, A1: after ${part} was killed twice, once for three seconds: every event arrived, in order, nothing doubled`,
      () =>
        Effect.gen(function* () {
          const printedLines: Array<string> = []
          const { counts, differences, steps } = yield* disturb(short(part), (line) => printedLines.push(line))
          assert.deepStrictEqual(differences, [], printedLines.join("\n"))
          assert.isAtLeast(steps, 16)
          // Twenty steps with a delay, a loop, chains of five called automations.
          assert.deepInclude(counts, {
            "automations: shapes: long": 3,
            "automations: shapes: loops": 1,
            "automations: shapes: chains": 3,
            // One hook is moved and replayed, another replayed beside what is new.
            "hooks: moves": 1,
            "hooks: replays": 2
          })
          assert.isAtLeast(counts["hooks: pauses"] ?? 0, 1)
        })
    )
  }
})

const git = (...args: ReadonlyArray<string>) => spawnSync("git", args, { encoding: "utf8" })
const shallow = git("rev-parse", "--is-shallow-repository").stdout.trim() !== "false"
if (shallow)
  console.warn("This clone is shallow, or none: it does not hold the release before, which is not looked for.")

describe("upgrade: the release before, which takes turns with this one (npm run disturb -- upgrade)", () => {
  it.skipIf(shallow)("is an earlier commit of this history, with another schema or with the same", () => {
    assert.strictEqual(git("merge-base", "--is-ancestor", RELEASE_BEFORE, "HEAD").status, 0)
    const main = git("ls-tree", "--name-only", RELEASE_BEFORE, "--", "src/main.ts", "src/prepare.ts").stdout
    assert.deepStrictEqual(main.trim().split("\n"), ["src/main.ts", "src/prepare.ts"])
  })
})

describe("instants of a schedule", () => {
  const from = Date.UTC(2026, 0, 1)
  const instantsAt = (...minutes: ReadonlyArray<number>) => minutes.map((minute) => from - 500 + minute * MINUTE)
  const judged = (...minutes: ReadonlyArray<number>) =>
    scheduleFaults("x", instantsAt(...minutes), from, from + 4.5 * MINUTE)

  it("are each there once, from the first minute to the end", () => {
    assert.deepStrictEqual(judged(1, 2, 3, 4), { missing: [], doubled: [] })
    assert.deepStrictEqual(judged(1, 2, 2, 3, 4).doubled, [`x at ${stamp(instantsAt(2)[0]!)}`])
    assert.lengthOf(judged(1, 2, 4).missing, 1)
    assert.deepStrictEqual(judged(2, 3, 4).missing, ["x: the first"])
    assert.lengthOf(judged(1, 2, 3).missing, 1)
    assert.lengthOf(judged().missing, 1)
  })
})

describe("moments", () => {
  it("come from the seed alone, in order, one in each part of the duration", () => {
    const moments = momentsOf(42, 5, 10_000)
    assert.deepStrictEqual(moments, momentsOf(42, 5, 10_000))
    assert.notDeepEqual(moments, momentsOf(43, 5, 10_000))
    for (const [i, moment] of moments.entries()) assert.isTrue(moment >= i * 2000 && moment <= (i + 1) * 2000)
  })
})
