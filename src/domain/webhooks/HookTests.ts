// Sends a sample to a verified hook and returns the receiver's answer (decisions W14): signed and marked; no event, no count, no retry.
// Also lists the samples of all types, and the latest attempts to verify the hook.
import { randomUUID } from "node:crypto"
import { Context, Effect, Layer, Schema } from "effect"
import { makeFairPlaces } from "../../platform/fairness/FairPlaces.ts"
import { Conflict, type NotFound, TooManyRequests } from "../../platform/primitives/errors.ts"
import { orSqlDefect } from "../../platform/sql/sqlDefect.ts"
import type { AccessGrant } from "../accounts/Access.ts"
import { outcomeColumns } from "./attempt.ts"
import { shownOutcome } from "./Delivery.ts"
import type { HookType } from "./Hook.ts"
import { type HookSample, makeHookSamples } from "./hookSamples.ts"
import { makeSendPost } from "./sendPost.ts"
import { makeVerificationAttempts, type VerificationAttempt } from "./verificationAttempts.ts"

export const TestAnswer = Schema.Struct(shownOutcome).annotate({ identifier: "HookTestAnswer" })
export type TestAnswer = typeof TestAnswer.Type

/** Header that marks a sample. */
const TEST_HEADER = "webhook-test"

/** Concurrency slots for samples in a process, and the number of requests of one organization that may wait. */
const testSlots = makeFairPlaces({ places: 32, reserve: 32, waiting: 32 })
const FULL = new TooManyRequests({ message: "Too many tests of webhooks at once.", retryAfterSeconds: 5 })

export class HookTests extends Context.Service<
  HookTests,
  {
    /** 409 while the hook is inactive: nothing is sent to an address before it is verified. */
    readonly test: (
      grant: AccessGrant,
      type: HookType | undefined
    ) => Effect.Effect<TestAnswer, NotFound | Conflict | TooManyRequests>
    /** The body of each type, as a test sends it; whatever the state of the hook. */
    readonly samples: (grant: AccessGrant) => Effect.Effect<ReadonlyArray<HookSample>, NotFound>
    readonly verification: (grant: AccessGrant) => Effect.Effect<ReadonlyArray<VerificationAttempt>>
  }
>()("millrace/webhooks/HookTests") {
  static readonly layer = Layer.effect(
    HookTests,
    Effect.gen(function* () {
      const { send } = yield* makeSendPost
      const { bodyFor, list: listSamples, subject } = yield* makeHookSamples
      const { list } = yield* makeVerificationAttempts

      const samples = Effect.fn("HookTests.samples")(listSamples, orSqlDefect)

      const test = Effect.fn("HookTests.test")(function* (grant: AccessGrant, type: HookType | undefined) {
        const hook = yield* subject(grant)
        if (hook.status !== "active")
          return yield* new Conflict({ message: "The hook is inactive: verify it, then test it." })
        const body = yield* bodyFor(grant, hook, type ?? hook.type)
        const outcome = yield* send(hook, {
          id: `msg_test_${hook.hook_id.toString(36)}_${randomUUID().replaceAll("-", "")}`,
          body,
          headers: { [TEST_HEADER]: "true" },
          again: Effect.succeed(true)
        }).pipe(
          testSlots.tryUse(grant.orgId),
          Effect.catchTag("PlacesFull", () => Effect.fail(FULL))
        )
        return outcomeColumns(outcome)
      }, orSqlDefect)

      const verification = Effect.fn("HookTests.verification")(({ id }: AccessGrant) => list(id), orSqlDefect)

      return HookTests.of({ samples, test, verification })
    })
  )
}
