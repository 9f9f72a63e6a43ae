// decisions on rights (service.md 7.2): those that were read with a credential are of that moment, and a request may go on for seconds.
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import type { ResolvedCaller } from "../../../src/domain/accounts/callerFacts.ts"
import { withFactsOnce } from "../../../src/interfaces/mcp/factsOnce.ts"
import { callerOf } from "../../support/records.ts"

it.effect("rights that were read with the credential decide the first call of a request alone", () =>
  Effect.gen(function* () {
    const lookups: Array<ResolvedCaller["lookup"]> = []
    const api = withFactsOnce({
      call: ({ lookup }) =>
        Effect.sync(() => {
          lookups.push(lookup)
          return { status: 200, body: null, headers: {} }
        })
    })
    const lookup = { resource: { kind: "record", id: 1 }, facts: null } as const
    const caller = { ...callerOf({ orgId: 1, personId: 1, userId: 1 }), lookup }
    const readRecord = api.call(caller, { method: "GET", path: "/v1/record/1" })
    yield* readRecord
    yield* readRecord
    assert.deepStrictEqual(lookups, [lookup, undefined])
  })
)
