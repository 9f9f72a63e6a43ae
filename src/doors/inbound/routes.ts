// `/api/catch/{token}` (developer-api.md 7.9): no credential. What it answers is data of the automation's author under our origin:
// it is never rendered with the rights of that origin.
import * as NodeServices from "@effect/platform-node/NodeServices"
import { type Cause, Effect, FileSystem, Layer, Stream } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { awayResponse } from "../../api/door/doorAnswers.ts"
import { answerOf } from "../../api/door/wire.ts"
import { fileName } from "../../api/records/files/handlers.ts"
import { type Catch, Catches } from "../../domain/automations/inbound/Catches.ts"
import { isMultipart, MAX_BYTES, receive } from "../../domain/automations/inbound/webhookPayload.ts"
import { isOver, RunOutcomes } from "../../domain/automations/requests/RunOutcomes.ts"
import { Storage } from "../../domain/records/files/Storage.ts"
import { pathOf } from "../../ground/primitives/requestPath.ts"
import { inBrief, isAwayIn } from "../../ground/sql/away.ts"
import { type Changes, watched } from "../../ground/sql/Changes.ts"
import { hiddenRequest } from "../../ground/telemetry/hiddenRequest.ts"

const ADDRESS = "/api/catch/:token"

const guarded = { "content-security-policy": "default-src 'none'; sandbox" }
const empty = (status: number) => HttpServerResponse.jsonUnsafe({}, { status, headers: guarded })
const nothing = HttpServerResponse.empty({ status: 204, headers: guarded })
/** For a body that nobody reads, unless it is so short that it has arrived. */
const unread = HttpServerResponse.jsonUnsafe({}, { status: 202, headers: { ...guarded, connection: "close" } })
const SHORT = 16_384
const notLooked = HttpServerResponse.empty({ status: 405, headers: { ...guarded, allow: "GET, POST, PUT" } })
/** Statuses that carry no body (RFC 9110 15). */
const bodiless: ReadonlySet<number> = new Set([204, 205, 304])

export const CatchRoutes = HttpRouter.use((router) =>
  Effect.gen(function* () {
    const catches = yield* Catches
    const waits = yield* RunOutcomes
    const storage = yield* Storage
    const disk = yield* FileSystem.FileSystem
    const platform = yield* Effect.context<Layer.Success<typeof NodeServices.layer>>()

    const waited = Effect.fnUntraced(function* ({ config }: Catch, waitKey: string) {
      const outcome = yield* waits.until(waitKey, config.response_timeout_seconds * 1_000, isOver)
      if (outcome.type === "refused" && outcome.why === "mismatch") return nothing
      if (outcome.type !== "run" || !isOver(outcome)) return empty(202)
      if (outcome.status !== "completed") return empty(500)
      const status = config.response_status
      if (bodiless.has(status)) return HttpServerResponse.empty({ status, headers: guarded })
      return HttpServerResponse.text(outcome.page?.html ?? "", {
        status,
        contentType: config.response_content_type,
        headers: guarded
      })
    })

    const answer = Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const { params } = yield* HttpRouter.RouteContext
      // The router gives HEAD to the GET route: a look at the address is no delivery.
      if (request.method === "HEAD") return notLooked
      const target = yield* catches.admit(params["token"] ?? "")
      const length = request.headers["content-length"]
      // Nothing of it would be kept (A23).
      if (!target.active) return request.method === "GET" || Number(length) <= SHORT ? empty(202) : unread
      const most = isMultipart(request) ? yield* storage.admit(target.org_id, length, MAX_BYTES) : 0
      const { files, ...received } = yield* Effect.provideContext(receive(request, most), platform)
      const sent = files.map((file) => ({
        name: fileName(file.name),
        mimetype: file.contentType.slice(0, 255),
        content: Stream.orDie(disk.stream(file.path))
      }))
      const kept = watched((changes) =>
        Effect.catchCause(catches.store(target, received, sent), (cause) => turnedAway(cause, changes))
      )
      const stored = yield* kept
      return HttpServerResponse.isHttpServerResponse(stored) ? stored : { target, waitKey: stored.waitKey }
    }).pipe(
      // Uploads leave the disk before the run is waited for.
      Effect.scoped,
      Effect.flatMap((stored) =>
        HttpServerResponse.isHttpServerResponse(stored)
          ? Effect.succeed(stored)
          : stored.waitKey === null
            ? Effect.succeed(empty(202))
            : // What was sent is kept: its sender is not to send it again because the wait was cut short.
              Effect.catchCause(waited(stored.target, stored.waitKey), (cause) =>
                isAwayIn(cause) ? Effect.succeed(empty(202)) : Effect.failCause(cause)
              )
      ),
      Effect.catchCause((cause) => turnedAway(cause)),
      Effect.catchTags({ Conflict: refused, NotFound: refused, TooManyRequests: refused, ValidationError: refused })
    )

    for (const method of ["GET", "POST", "PUT"] as const)
      yield* router.add(method, ADDRESS, hiddenRequest(ADDRESS)(answer))
  })
).pipe(Layer.provide(NodeServices.layer))

/** The database is away: the sender is told when to come again, and what is known. */
const turnedAway = <E>(cause: Cause.Cause<E>, changes: Changes = { possible: false }) =>
  isAwayIn(cause)
    ? Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ originalUrl }) =>
        Effect.as(
          Effect.logWarning("the database is away", inBrief(cause)),
          HttpServerResponse.setHeaders(awayResponse(pathOf(originalUrl), { changes, keyed: false }), guarded)
        )
      )
    : Effect.failCause(cause)

const refused = (failure: unknown) =>
  Effect.map(HttpServerRequest.HttpServerRequest, (request) => {
    const { body, headers, status } = answerOf(failure, pathOf(request.originalUrl))!
    return HttpServerResponse.jsonUnsafe(body, { status, headers: { ...guarded, ...headers } })
  })
