// A call whose client goes away is interrupted (developer-api.md 1.5): whatever it waits for hears of it, in either era of the protocol.
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { converse } from "../../../src/interfaces/mcp/conversation.ts"
import type { StandardHeaders } from "../../../src/interfaces/mcp/protocolRevisions.ts"
import { open } from "../../../src/interfaces/mcp/rpcEnvelope.ts"
import type { ToolContext } from "../../../src/interfaces/mcp/ToolContext.ts"
import { offerOf } from "../../../src/interfaces/mcp/toolsets.ts"
import { metaOf, revision } from "./modern.ts"

const params = { name: "who_am_i", arguments: {} }
const eras: ReadonlyArray<readonly [string, object, StandardHeaders]> = [
  ["2025-11-25", params, { version: "2025-11-25", method: undefined, name: undefined }],
  [revision, { ...params, _meta: metaOf(revision) }, { version: revision, method: "tools/call", name: params.name }]
]

describe("MCP calls", () => {
  for (const [version, sent, headers] of eras)
    it.effect(`are interrupted when their client goes away, ${version}`, () =>
      Effect.gen(function* () {
        const [begun, stopped] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        const caller = { userId: 1, scopes: "all" } as unknown as ToolContext["caller"]
        const endlessCall = Effect.andThen(Deferred.succeed(begun, undefined), Effect.never)
        const call = () => Effect.onInterrupt(endlessCall, () => Deferred.succeed(stopped, undefined))
        const desk = { api: { call }, caller, onlyReads: false } as unknown as ToolContext
        const toolOffer = offerOf("", {}, caller)
        const envelope = open(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: sent }), headers)
        if (envelope._tag === "Refusal" || "_tag" in toolOffer)
          return assert.fail(JSON.stringify([envelope, toolOffer]))
        const fiber = yield* Effect.forkChild(converse(desk, toolOffer, envelope, headers))
        yield* Deferred.await(begun)
        yield* Fiber.interrupt(fiber)
        yield* Deferred.await(stopped)
      })
    )
})
