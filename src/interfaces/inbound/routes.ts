// `/api/catch/{token}` (developer-api.md 7.9): no credential. What it answers is data of the automation's author under our origin:
// it is never rendered with the rights of that origin.
import * as NodeServices from "@effect/platform-node/NodeServices"
import { type Cause, Effect, FileSystem, Layer, Stream } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { answerOf } from "../../api/middleware/errorBodies.ts"
import { awayResponse } from "../../api/middleware/errorResponses.ts"
import { partName } from "../../api/records/files/handlers.ts"
import { Catches } from "../../domain/automations/inbound/Catches.ts"
import { InboundProofs } from "../../domain/automations/inbound/InboundProofs.ts"
import {
  bringsFiles,
  MAX_BYTES,
  receive,
  receiveSigned,
  requestAround
} from "../../domain/automations/inbound/receiveBody.ts"
import type { Catch } from "../../domain/automations/inbound/storeCatch.ts"
import { isAnswered, type RunAnswer, RunOutcomes } from "../../domain/automations/requests/RunOutcomes.ts"
import { Contents } from "../../domain/records/files/Contents.ts"
import { Files } from "../../domain/records/files/Files.ts"
import { Storage } from "../../domain/records/files/Storage.ts"
import { pathOf } from "../../platform/primitives/requestPath.ts"
import { type Changes, watched } from "../../platform/sql/Changes.ts"
import { inBrief, isTransientIn } from "../../platform/sql/transientErrors.ts"
import { hiddenRequest } from "../../platform/telemetry/hiddenRequest.ts"
import {
  addressExists,
  answerOfRun,
  challenged,
  challengedInJson,
  closed,
  deliveryStored,
  guarded,
  keysAway,
  mismatch,
  notAllowed,
  notUnpacked,
  options,
  runFailed,
  unproven
} from "./inboundAnswers.ts"

const ADDRESS = "/api/catch/:token"

/** A body that nobody reads is so short that it has arrived, or the connection ends. */
const SHORT = 16_384
const unread = { connection: "close" }

export const CatchRoutes = HttpRouter.use((router) =>
  Effect.gen(function* () {
    const catches = yield* Catches
    const proofs = yield* InboundProofs
    const runOutcomes = yield* RunOutcomes
    const storage = yield* Storage
    const files = yield* Files
    const contents = yield* Contents
    const disk = yield* FileSystem.FileSystem
    const platform = yield* Effect.context<Layer.Success<typeof NodeServices.layer>>()

    const answered = Effect.fnUntraced(function* ({ org_id }: Catch, answer: RunAnswer) {
      if (answer.file_id === null) return answerOfRun(answer)
      const file = yield* files.stored(org_id, answer.file_id)
      if (file !== undefined) return answerOfRun(answer, { ...file, content: contents.read(file.storage_key) })
      yield* Effect.logWarning("the file of an answer is gone", { file_id: answer.file_id })
      return runFailed
    })

    const waited = Effect.fnUntraced(function* (target: Catch, waitKey: string) {
      const { response_content_type, response_status, response_timeout_seconds } = target.config
      const outcome = yield* runOutcomes.until(waitKey, response_timeout_seconds * 1_000, isAnswered, true)
      if (outcome.type === "refused" && outcome.why === "mismatch") return mismatch
      if (outcome.type !== "run" || !isAnswered(outcome)) return deliveryStored
      if (outcome.answer !== null) return yield* answered(target, outcome.answer)
      if (outcome.status !== "completed") return runFailed
      // The release before has kept the text alone.
      const headers = { "content-type": response_content_type }
      return answerOfRun({ status: response_status, headers, file_id: null, body: outcome.page?.html ?? "" })
    })

    const answer = Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const { params } = yield* HttpRouter.RouteContext
      const target = yield* catches.admit(params["token"] ?? "")
      // The router gives HEAD to the GET route.
      if (request.method === "HEAD") return addressExists
      if (request.method === "OPTIONS") return options(request.headers["webhook-request-origin"])
      const sync = target.config.response_mode === "sync"
      const length = request.headers["content-length"]
      const short = request.method === "GET" || Number(length) <= SHORT
      const { verification } = target.config
      const proof = verification === undefined ? undefined : yield* proofs.of(target, verification)
      const signed = proof?.type === "body" ? proof : undefined
      if (proof?.type === "header") yield* proof.check(request.headers)
      if (signed !== undefined && request.method === "GET") {
        const text = yield* signed.asked(new URL(request.originalUrl, "http://localhost").searchParams)
        return text === undefined ? yield* signed.nothingSigned : challenged(text)
      }
      const mayBeChallenge = signed?.asks === true && (short || length === undefined)
      if (!target.active && !mayBeChallenge) return closed(sync, short ? {} : unread)
      const most = bringsFiles(request) ? yield* storage.admit(target.org_id, length, MAX_BYTES) : 0
      const { files, ...body } = yield* signed === undefined
        ? Effect.provideContext(receive(request, most), platform)
        : receiveSigned(request, (sent) => signed.check(request.headers, sent))
      const challenge = signed?.challenge(body.payload)
      if (challenge !== undefined) return challengedInJson(challenge)
      if (!target.active) return closed(sync)
      const received = { ...body, request: requestAround(request) }
      const sentFiles = files.map(({ content, mimetype, name }) => ({
        name: partName(name),
        mimetype: mimetype.slice(0, 255),
        content: typeof content === "string" ? Stream.orDie(disk.stream(content)) : Stream.make(content)
      }))
      const kept = watched((changes) =>
        Effect.catchCause(catches.store(target, received, sentFiles), (cause) => turnedAway(cause, changes))
      )
      const storeResult = yield* kept
      if (HttpServerResponse.isHttpServerResponse(storeResult)) return storeResult
      return storeResult.type === "inactive" ? closed(sync) : { target, waitKey: storeResult.waitKey }
    }).pipe(
      // Uploads leave the disk before the run is waited for.
      Effect.scoped,
      Effect.flatMap((stored) =>
        HttpServerResponse.isHttpServerResponse(stored)
          ? Effect.succeed(stored)
          : stored.waitKey === null
            ? Effect.succeed(deliveryStored)
            : // What was sent is kept: its sender is not to send it again because the wait was cut short.
              Effect.catchCause(waited(stored.target, stored.waitKey), (cause) =>
                isTransientIn(cause) ? Effect.succeed(deliveryStored) : Effect.failCause(cause)
              )
      ),
      Effect.catchCause((cause) => turnedAway(cause)),
      Effect.catchTag("EncodingRefused", ({ accepted, message }) =>
        Effect.map(HttpServerRequest.HttpServerRequest, ({ originalUrl }) =>
          notUnpacked(message, accepted, pathOf(originalUrl))
        )
      ),
      Effect.catchTag("SenderRefused", (failure) =>
        Effect.map(HttpServerRequest.HttpServerRequest, ({ originalUrl }) => unproven(failure, pathOf(originalUrl)))
      ),
      Effect.catchTag("KeysAway", () => Effect.succeed(keysAway)),
      Effect.catchTags({
        Conflict: answerRefusal,
        NotFound: answerRefusal,
        TooManyRequests: answerRefusal,
        ValidationError: answerRefusal
      })
    )

    for (const method of ["GET", "POST", "PUT", "OPTIONS"] as const)
      yield* router.add(method, ADDRESS, hiddenRequest(ADDRESS)(answer))
    for (const method of ["PATCH", "DELETE"] as const)
      yield* router.add(method, ADDRESS, hiddenRequest(ADDRESS)(Effect.succeed(notAllowed)))
  })
).pipe(Layer.provide(NodeServices.layer))

/** The database is away: the sender is told when to come again, and what is known. */
const turnedAway = <E>(cause: Cause.Cause<E>, changes: Changes = { possible: false }) =>
  isTransientIn(cause)
    ? Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ originalUrl }) =>
        Effect.as(
          Effect.logWarning("the database is away", inBrief(cause)),
          HttpServerResponse.setHeaders(awayResponse(pathOf(originalUrl), { changes, keyed: false }), guarded)
        )
      )
    : Effect.failCause(cause)

const answerRefusal = (failure: unknown) =>
  Effect.map(HttpServerRequest.HttpServerRequest, (request) => {
    const { body, headers, status } = answerOf(failure, pathOf(request.originalUrl))!
    return HttpServerResponse.jsonUnsafe(body, { status, headers: { ...guarded, ...headers } })
  })
