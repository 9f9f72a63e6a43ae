// decisions A22, P8: large payloads of runs in flight are bounded together, organization by organization.
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { PayloadShares } from "../../../../src/domain/automations/run/PayloadShares.ts"
import type { LoadedRun } from "../../../../src/domain/automations/run/RunRow.ts"

const MIB = 1024 * 1024
const yieldRepeatedly = Effect.forEach(Array.from({ length: 50 }), () => Effect.yieldNow, { discard: true })

/** As much of a run as the shares look at. */
const loaded = (org_id: number, trigger: object) =>
  ({ run: { org_id, app_id: org_id }, trigger }) as unknown as LoadedRun
const large = (org_id: number, webhook_payload_chars?: number) =>
  loaded(org_id, {
    webhook_payload_id: 1,
    ...(webhook_payload_chars === undefined ? {} : { webhook_payload_chars })
  })

it.effect("fifty runs with a payload of a mebibyte begin sixteen at a time; others do not wait for them", () =>
  Effect.gen(function* () {
    const shares = yield* PayloadShares
    const startedOrgs: Array<number> = []
    const run = (one: LoadedRun) =>
      Effect.forkChild(
        shares.within(one)(
          Effect.andThen(
            Effect.sync(() => void startedOrgs.push(one.run.org_id)),
            Effect.never
          )
        )
      )
    for (let n = 0; n < 50; n++) yield* run(large(1, MIB))
    yield* yieldRepeatedly
    assert.strictEqual(startedOrgs.length, 16)
    // Small ones need no share; another organization finds room, also where nobody noted a length.
    yield* run(loaded(1, { webhook_payload: {} }))
    yield* run(large(2))
    yield* yieldRepeatedly
    assert.deepStrictEqual(startedOrgs.slice(16), [1, 2])
  }).pipe(Effect.provide(PayloadShares.layer))
)
