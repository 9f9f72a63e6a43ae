// @millrace/client: `liveEvents` in Node, against the service on a socket (docs/decisions.md, "Events").
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { bearer, isApiError, type LiveEvent, liveEvents, makeClient } from "../../clients/typescript/src/index.ts"
import { eventually } from "../support/eventually.ts"
import { servedLayer } from "../support/served.ts"
import { answered, disturbed, promise, seeded } from "./support.ts"

layer(servedLayer(), { excludeTestServices: true })("liveEvents", (it) => {
  it.effect("goes on where a stream broke, after answers that pass, until it is broken off", () =>
    Effect.gen(function* () {
      const { appId, client, options } = yield* seeded
      const broken = new AbortController()
      const { fetch, requests } = disturbed(
        answered(503, { error_code: "service_unavailable", outcome: "not_done" }),
        async (pass) => {
          const response = await pass()
          const cut = new TransformStream<Uint8Array, Uint8Array>()
          void response.body!.pipeTo(cut.writable, { signal: broken.signal }).catch(() => undefined)
          return new Response(cut.readable, response)
        }
      )
      const troubles: Array<unknown> = []
      const stop = new AbortController()
      const events: Array<LiveEvent> = []
      const listening = (async () => {
        const { transport } = makeClient({ ...options, fetch })
        const streamOptions = { app_id: appId, kinds: ["records"], signal: stop.signal } as const
        for await (const event of liveEvents(transport, {
          ...streamOptions,
          onTrouble: (error) => troubles.push(error)
        }))
          events.push(event)
      })().catch((error: unknown) => error)
      const create = promise(() => client.records.create({ app_id: appId, body: { fields: { state: "Planned" } } }))
      const heard = (wanted: number) =>
        eventually(
          `${wanted} events`,
          Effect.sync(() => events.filter(({ event }) => event === "record")),
          (all) => all.length >= wanted
        )
      const streamStart = eventually(
        "the beginning",
        Effect.sync(() => events.length),
        (n) => n > 0
      )
      yield* streamStart
      assert.deepStrictEqual<unknown>(events[0]!.data, { resumed: false })
      yield* create
      yield* heard(1)
      broken.abort()
      yield* create
      yield* heard(2)
      assert.isAtLeast(troubles.length, 2)
      assert.isTrue(isApiError(troubles[0], "service_unavailable"))
      assert.isString(requests[2]!.headers.get("last-event-id"))
      const ids = events.flatMap((one) => (one.event === "record" ? [one.data.record_id] : []))
      assert.strictEqual(new Set(ids).size, 2)
      stop.abort("enough")
      assert.strictEqual(yield* promise(() => listening), "enough")
    })
  )

  it.effect("throws what another try does not mend, and closes its stream with `break`", () =>
    Effect.gen(function* () {
      const { options } = yield* seeded
      const firstEvent = (transport: ReturnType<typeof makeClient>["transport"], app_id?: number) =>
        promise(async () => {
          try {
            for await (const event of liveEvents(transport, app_id === undefined ? {} : { app_id })) return event
          } catch (error) {
            return error
          }
          return undefined
        })
      const nobody = makeClient({ ...options, credentials: bearer("svc_pat_none") })
      assert.isTrue(isApiError(yield* firstEvent(nobody.transport), "dev_api_invalid_access_token"))
      const { transport } = makeClient(options)
      assert.isTrue(isApiError(yield* firstEvent(transport, 999_999), "not_found"))
      // More than may be open at once, one after another.
      for (let n = 0; n < 15; n++) assert.strictEqual(((yield* firstEvent(transport)) as LiveEvent).event, "ready")
    })
  )

  it.effect("continues another stream behind the last id that it told", () =>
    Effect.gen(function* () {
      const { appId, client, options } = yield* seeded
      const { transport } = makeClient(options)
      const ids: Array<string> = []
      const firstEvents = (wanted: number, after?: string) =>
        promise(async () => {
          const events: Array<LiveEvent> = []
          const streamOptions = {
            app_id: appId,
            onId: (id: string) => ids.push(id),
            ...(after !== undefined && { after })
          }
          for await (const event of liveEvents(transport, streamOptions)) if (events.push(event) === wanted) break
          return events
        })
      yield* firstEvents(1)
      const { record_id } = (yield* promise(() =>
        client.records.create({ app_id: appId, body: { fields: { state: "Planned" } } })
      )) as { readonly record_id: number }
      const [ready, change] = yield* firstEvents(2, ids.at(-1)!)
      assert.deepStrictEqual<unknown>(ready!.data, { resumed: true })
      assert.strictEqual((change!.data as { readonly record_id: number }).record_id, record_id)
    })
  )
})
