// Requests of the console beside the API (docs/decisions.md, "The console"): a POST of a page of ours, by its session. The session's cookie
// says who; the Origin, which no page can make up, says that the page is ours: without it, or with another, nothing is answered. No other
// credential is looked at.
import { Cause, Effect, Option, Schema } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { errorResponse, failureResponse } from "../../api/middleware/errorResponses.ts"
import { describeIssue } from "../../api/middleware/inputProblems.ts"
import { refuseNul } from "../../api/middleware/jsonBody.ts"
import { ConfirmationRequired } from "../../domain/oauth/SessionProofs.ts"
import { CurrentActor, signedIn } from "../../platform/audit/AuditActor.ts"
import { SourceAddress } from "../../platform/audit/AuditLog.ts"
import { readText } from "../../platform/bounds/Body.ts"
import { AppConfig } from "../../platform/config/Config.ts"
import { InputInvalid } from "../../platform/primitives/errors.ts"
import { addEveryMethod } from "../../platform/primitives/everyMethod.ts"
import { mediaTypeOf } from "../../platform/primitives/mediaType.ts"
import { watched } from "../../platform/sql/Changes.ts"
import { fieldsOf } from "../web/form.ts"
import { noStore, sourceOf } from "../web/sharedAnswers.ts"
import { isMember, isSignedIn, type MemberVisit, type Visit, Visitors } from "../web/Visitors.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse
type Fields = Readonly<Record<string, Schema.Top & { readonly DecodingServices: never }>>
type InputOf<F extends Fields> = Schema.Struct<F>["Type"]

/** Longest body. */
const MAX_BYTES = 64 * 1024

/** Answers in JSON that no cache keeps. */
export const jsonAnswer = (body: unknown): Response => HttpServerResponse.jsonUnsafe(body, { headers: noStore })

/** Refuses whoever the session lets act for nobody. */
const refusalOf = (visit: Visit, path: string): Response => {
  if (!isSignedIn(visit)) return errorResponse(401, "dev_api_authentication", "Sign in first.", path)
  if (visit.users.length > 0)
    return errorResponse(409, "conflict_error", "Choose an organization first, at /organization.", path)
  const message =
    visit.waiting.length > 0
      ? "Your organization asks for a second step at sign-in. Set one up at /account/factors."
      : "You are not an active user of any organization."
  return errorResponse(403, "restricted_resource", message, path)
}

const otherUser = (path: string) =>
  errorResponse(403, "restricted_resource", "This page was opened for another user. Reload it.", path)

export type PageCalls = Effect.Success<typeof makePageCalls>

export const makePageCalls = Effect.gen(function* () {
  const router = yield* HttpRouter.HttpRouter
  const { baseUrl } = yield* AppConfig
  const visitors = yield* Visitors
  const { origin } = new URL(baseUrl)

  const visitOf = Effect.fnUntraced(function* (request: Request, path: string) {
    const visit: Visit = { request, path, query: fieldsOf(""), ...(yield* visitors.find(request)) }
    return visit
  })

  /** Adds an address. @param handle answers a request of a page of ours */
  const add = <E>(path: `/${string}`, handle: (request: Request) => Effect.Effect<Response, E>) => {
    const foreign = errorResponse(403, "forbidden", "Only pages of this service may use this address.", path)
    const unconfirmed = errorResponse(403, "confirmation_required", "Confirm first that it is you.", path)
    const refusal = errorResponse(405, "invalid_request", "This address takes POST alone.", path, { allow: "POST" })
    return addEveryMethod(
      router,
      path,
      Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
        if (request.method !== "POST") return Effect.succeed(refusal)
        if (request.headers["origin"] !== origin) return Effect.succeed(foreign)
        return watched((changes) =>
          Effect.catchCause(handle(request), (cause) =>
            Option.getOrUndefined(Cause.findErrorOption(cause)) instanceof ConfirmationRequired
              ? Effect.succeed(unconfirmed)
              : failureResponse(cause, path, { changes, keyed: false })
          )
        ).pipe(Effect.provideService(SourceAddress, sourceOf(request)), Effect.provideService(CurrentActor, signedIn))
      })
    )
  }

  const readInput = Effect.fnUntraced(function* <F extends Fields>(request: Request, fields: F) {
    if (mediaTypeOf(request.headers["content-type"]) !== "application/json")
      return yield* new InputInvalid({ message: "The content type must be application/json." })
    const text = yield* Effect.mapError(readText(request, MAX_BYTES), ({ message }) => new InputInvalid({ message }))
    yield* refuseNul(text)
    const json = Schema.fromJsonString(Schema.Struct({ as: Schema.Int, ...fields }))
    const input = yield* Schema.decodeUnknownEffect(json, { onExcessProperty: "error", errors: "all" })(text).pipe(
      Effect.mapError(({ issue }) => new InputInvalid({ message: describeIssue(issue, "body") }))
    )
    return input as InputOf<F> & { readonly as: number }
  })

  return {
    /** Adds an address that takes no body. */
    addBare: <E>(path: `/${string}`, handle: (visit: MemberVisit) => Effect.Effect<Response, E>) =>
      add(path, (request) =>
        Effect.flatMap(visitOf(request, path), (visit) =>
          isSignedIn(visit) && isMember(visit) ? handle(visit) : Effect.succeed(refusalOf(visit, path))
        )
      ),

    /**
     * Adds an address that takes `as`, the user for whom the page was opened, and the fields: an organization that another tab chose
     * meanwhile changes nothing. Its answer is JSON.
     */
    addAct: <F extends Fields, E>(
      path: `/${string}`,
      fields: F,
      act: (visit: MemberVisit, input: InputOf<F>) => Effect.Effect<unknown, E>
    ) =>
      add(
        path,
        Effect.fnUntraced(function* (request: Request) {
          // Resolves the visitor after the body has arrived: a session or a role may end meanwhile.
          const input = yield* readInput(request, fields)
          const visit = yield* visitOf(request, path)
          if (!isSignedIn(visit) || visit.users.length === 0) return refusalOf(visit, path)
          const current = visit.users.find(({ user_id }) => user_id === input.as)
          if (current === undefined) return otherUser(path)
          const answer = yield* act({ ...visit, current }, input)
          return HttpServerResponse.isHttpServerResponse(answer) ? answer : jsonAnswer(answer ?? {})
        })
      )
  }
})
