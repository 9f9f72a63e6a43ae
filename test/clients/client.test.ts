// @millrace/client in Node, against the service on a socket: its operations, errors, retries, pages, files and hooks.
import { assert, layer } from "@effect/vitest"
import { Effect, Exit, Stream } from "effect"
import { MillraceClient } from "../../clients/typescript/src/effect.ts"
import {
  type ApiError,
  bearer,
  downloadFile,
  isApiError,
  makeClient,
  type Progress,
  TransportError,
  uploadFile,
  verifyWebhook,
  WebhookRefused
} from "../../clients/typescript/src/index.ts"
import { newSecret, signedHeaders, signingKey } from "../../src/domain/webhooks/signature.ts"
import { eventually } from "../support/eventually.ts"
import { answers, receiver as startReceiver } from "../support/receiver.ts"
import { servedLayer } from "../support/served.ts"
import { answered, disturbed, lostAfter, promise, seeded } from "./support.ts"

const refusal = async (work: Promise<unknown>): Promise<unknown> => {
  try {
    await work
  } catch (error) {
    return error
  }
  throw new Error("it was not refused")
}

layer(servedLayer(), { excludeTestServices: true })("@millrace/client", (it) => {
  it.effect("does what the guide does: app, records, pages, hook, automation and its run", () =>
    Effect.gen(function* () {
      const { client, workspaceId } = yield* seeded
      yield* promise(async () => {
        const { app_id } = await client.apps.create({
          body: {
            workspace_id: workspaceId,
            name: "Books",
            fields: [{ field_type: "single_text", config: { label: "Title" } }]
          }
        })
        for (let n = 1; n <= 5; n++) await client.records.create({ app_id, body: { fields: { title: `Book ${n}` } } })
        const titles: Array<string> = []
        for await (const { title } of client.listings.ofApp.each({ app_id, limit: 2, sort_by: "title" }))
          titles.push(title)
        assert.deepStrictEqual(titles, ["Book 1", "Book 2", "Book 3", "Book 4", "Book 5"])
        const hook = await client.webhooks.create({
          app_id,
          body: { url: "https://receiver.example.com/hook", type: "record.create" }
        })
        assert.strictEqual(hook.status, "inactive")
        const { automation } = await client.automations.create({
          app_id,
          body: {
            name: "Nothing",
            trigger: { type: "webhook_received", config: {} },
            actions: [{ type: "exit", config: { exit_type: "success" } }]
          }
        })
        await client.automations.activate({ automation_id: automation.id })
        await client.automationRuns.manualRun({ automation_id: automation.id, body: { webhook_payload: { n: 1 } } })
        const runs: Array<string> = []
        for await (const run of client.automationRuns.listApp.each({ id: app_id, body: { limit: 1 } }))
          runs.push(run.id)
        assert.isAtMost(runs.length, 1)
      })
    })
  )

  it.effect("an error is told apart by its code, with its body typed (1.5)", () =>
    Effect.gen(function* () {
      const { client, options } = yield* seeded
      const missing = yield* promise(() => refusal(client.records.get({ record_id: 2 ** 40 })))
      assert.isTrue(isApiError(missing, "record_not_exists"))
      assert.strictEqual((missing as ApiError).status, 404)
      assert.match((missing as ApiError).requestId ?? "", /./)
      assert.isFalse(isApiError(missing, "conflict_error"))
      const nobody = makeClient({ ...options, credentials: bearer("svc_pat_none") })
      assert.isTrue(isApiError(yield* promise(() => refusal(nobody.accounts.me())), "dev_api_invalid_access_token"))
      // A parameter that is missing is a fault of the program; the compiler says it first.
      const without = yield* promise(async () => {
        // @ts-expect-error record_id
        return refusal(client.records.get())
      })
      assert.instanceOf(without, TypeError)
    })
  )

  it.effect("a POST whose answer got lost is made again under its key, and carried out once (1.8)", () =>
    Effect.gen(function* () {
      const { appId, options } = yield* seeded
      const { fetch, requests } = disturbed(lostAfter, answered(502, {}))
      const client = makeClient({ ...options, fetch })
      const body = { fields: { reference: "once", state: "Planned" } }
      const createdRecord = yield* promise(() => client.records.create({ app_id: appId, body }))
      assert.strictEqual(requests.length, 3)
      assert.strictEqual(new Set(requests.map(({ headers }) => headers.get("Idempotency-Key"))).size, 1)
      const { total, records } = yield* promise(() => client.listings.ofApp({ app_id: appId }))
      assert.deepStrictEqual([total, records[0]!.record_id], [1, createdRecord.record_id])
    })
  )

  it.effect("waits as the rate limit says, and gives up where that is too long (1.6)", () =>
    Effect.gen(function* () {
      const { options } = yield* seeded
      const full = (retry_after: number) => answered(429, { error_code: "too_many_requests", retry_after })
      const soon = disturbed(full(0), full(0))
      yield* promise(() => makeClient({ ...options, fetch: soon.fetch }).accounts.me())
      assert.strictEqual(soon.requests.length, 3)
      const longWait = disturbed(full(3600))
      const error = yield* promise(() => refusal(makeClient({ ...options, fetch: longWait.fetch }).accounts.me()))
      assert.isTrue(isApiError(error, "too_many_requests"))
      assert.strictEqual(longWait.requests.length, 1)
    })
  )

  it.effect("what may have been carried out is not made again where that would not be the same", () =>
    Effect.gen(function* () {
      const { appId, client, options } = yield* seeded
      const { record_id } = yield* promise(() =>
        client.records.create({ app_id: appId, body: { fields: { state: "Planned" } } })
      )
      const lost = disturbed(lostAfter)
      const error = yield* promise(() =>
        refusal(makeClient({ ...options, fetch: lost.fetch }).records.remove({ record_id }))
      )
      assert.instanceOf(error, TransportError)
      assert.strictEqual(lost.requests.length, 1)
      const unavailable = answered(503, { error_code: "service_unavailable", outcome: "not_done", retry_after: 0 })
      const undone = disturbed(unavailable)
      const updateArguments = { record_id, body: { fields: { reference: "again" } } }
      yield* promise(() => refusal(makeClient({ ...options, fetch: undone.fetch }).records.update(updateArguments)))
      assert.strictEqual(undone.requests.length, 2)
    })
  )

  it.effect("a change is made of the revision that was read, or not at all", () =>
    Effect.gen(function* () {
      const { appId, client } = yield* seeded
      const { record_id } = yield* promise(() =>
        client.records.create({ app_id: appId, body: { fields: { state: "Planned" } } })
      )
      const { revision } = yield* promise(() => client.records.get({ record_id }))
      const change = (reference: string) =>
        client.records.update({ record_id, body: { fields: { reference } } }, { ifMatch: revision })
      yield* promise(() => change("first"))
      assert.isTrue(isApiError(yield* promise(() => refusal(change("second"))), "conflict_error"))
    })
  )

  it.effect("a request is broken off by its signal", () =>
    Effect.gen(function* () {
      const receiver = yield* startReceiver()
      receiver.on("/v1/user", answers.hang)
      const options = { baseUrl: receiver.origin, credentials: bearer("svc_pat_any"), retry: { times: 0 } }
      const broken = new AbortController()
      const refusedCall = refusal(makeClient(options).accounts.me({}, { signal: broken.signal }))
      yield* eventually(
        "it is asked",
        Effect.sync(() => receiver.of("/v1/user").length),
        (n) => n === 1
      )
      broken.abort(new Error("enough"))
      assert.strictEqual(((yield* promise(() => refusedCall)) as Error).message, "enough")
      const impatientClient = makeClient({ ...options, timeoutMillis: 20 })
      const error = yield* promise(() => refusal(impatientClient.accounts.me()))
      assert.instanceOf(error, TransportError)
      assert.include((error as Error).message, "no answer within 20 ms")
    })
  )

  it.effect("files go up and come down with progress (6)", () =>
    Effect.gen(function* () {
      const { client } = yield* seeded
      const bytes = new Uint8Array(300_000).map((_, i) => i % 251)
      const up: Array<Progress> = []
      const down: Array<Progress> = []
      yield* promise(async () => {
        const blob = new Blob([bytes], { type: "application/octet-stream" })
        const file = await uploadFile(client.transport, blob, { name: "wave.bin", onProgress: (one) => up.push(one) })
        assert.deepStrictEqual([file.name, file.size], ["wave.bin", bytes.length])
        const plainUpload = await uploadFile(client.transport, blob, { name: "again.bin" })
        // Links name the service's public address, which this one is not heard at.
        const { pathname, search } = new URL(plainUpload.link)
        const got = await downloadFile(client.transport, pathname + search, { onProgress: (one) => down.push(one) })
        assert.deepStrictEqual(new Uint8Array(await got.arrayBuffer()), bytes)
        assert.isTrue(
          isApiError(await refusal(uploadFile(client.transport, new Blob([]), { name: "none" })), "validation")
        )
      })
      assert.isAtLeast(up.at(-1)!.bytes, bytes.length)
      assert.strictEqual(up.at(-1)!.bytes, up.at(-1)!.total)
      assert.deepStrictEqual(down.at(-1), { bytes: bytes.length, total: bytes.length })
    })
  )

  it.effect("a delivery is verified: signature, time, and what it says (W7)", () =>
    Effect.gen(function* () {
      const [secret, former] = [newSecret(), newSecret()]
      const body = JSON.stringify({ hook_id: 1, record_id: 2, revision_id: 3, type: "record.create" })
      const headers = signedHeaders("msg_1", new Date(), body, [signingKey(secret), signingKey(former)])
      yield* promise(async () => {
        for (const signingSecret of [secret, former]) {
          const { event, id } = await verifyWebhook({ headers, body }, { secret: signingSecret })
          assert.strictEqual(id, "msg_1")
          assert.strictEqual(event.type === "record.create" ? event.record_id : 0, 2)
        }
        await verifyWebhook({ headers: new Headers(headers), body: new TextEncoder().encode(body) }, { secret })
        const badCalls = [
          () => verifyWebhook({ headers, body: `${body} ` }, { secret }),
          () => verifyWebhook({ headers, body }, { secret: newSecret() }),
          () => verifyWebhook({ headers, body }, { secret, at: new Date(Date.now() + 301_000) }),
          () => verifyWebhook({ headers: {}, body }, { secret })
        ]
        for (const badCall of badCalls) assert.instanceOf(await refusal(badCall()), WebhookRefused)
      })
    })
  )

  it.effect("as Effects: errors stand in the type, pages are a Stream", () =>
    Effect.gen(function* () {
      const { appId, client: plain, options } = yield* seeded
      for (const reference of ["a", "b", "c"])
        yield* promise(() => plain.records.create({ app_id: appId, body: { fields: { reference, state: "Planned" } } }))
      yield* Effect.gen(function* () {
        const client = yield* MillraceClient
        const titles = yield* client.listings.ofApp.each({ app_id: appId, limit: 1 }).pipe(
          Stream.map(({ title }) => title),
          Stream.runCollect
        )
        assert.deepStrictEqual([...titles].toSorted(), ["a", "b", "c"])
        const missing = yield* Effect.exit(client.records.get({ record_id: 2 ** 40 }))
        assert.isTrue(Exit.isFailure(missing))
        const code = yield* client.records.get({ record_id: 2 ** 40 }).pipe(
          Effect.map(() => "none"),
          Effect.catchTag("ApiError", ({ code }) => Effect.succeed(code))
        )
        assert.strictEqual(code, "record_not_exists")
      }).pipe(Effect.provide(MillraceClient.layer(options)))
    })
  )
})
