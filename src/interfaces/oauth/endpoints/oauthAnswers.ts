// Answers of the OAuth endpoints: JSON, never stored, refusals with reason id and status (service.md 7.1; decisions O10, O11).
import { Cause, Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { count, type Endpoint } from "../../../domain/oauth/metrics.ts"
import { describe, type OAuthRefused, reasons, refuse } from "../../../domain/oauth/reasons.ts"
import { type AuditEntry, AuditLog, SourceAddress } from "../../../platform/audit/AuditLog.ts"
import { sqlDefectIn } from "../../../platform/sql/sqlDefect.ts"
import { TRANSIENT_RETRY_SECONDS } from "../../../platform/sql/transientErrors.ts"
import { noStore, sourceOf } from "../../web/sharedAnswers.ts"

type Response = HttpServerResponse.HttpServerResponse

export const jsonAnswer = (body: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  HttpServerResponse.jsonUnsafe(body, { status, headers: { ...noStore, ...headers } })

/** The standard OAuth shape. A 401 names Basic, the scheme that a client can answer with (RFC 6749 5.2). */
export const refusalAnswer = (refused: OAuthRefused, status: number = reasons[refused.reasonId].status): Response =>
  jsonAnswer(
    { error: reasons[refused.reasonId].error, error_description: describe(refused.reasonId, refused.detail) },
    status,
    {
      ...(status === 401 ? { "www-authenticate": 'Basic realm="OAuth"' } : {}),
      ...(refused.retryAfterSeconds === undefined ? {} : { "retry-after": String(refused.retryAfterSeconds) })
    }
  )

const AWAY = String(TRANSIENT_RETRY_SECONDS)

/** Storage that fails is said to be away, never blamed on the client (O10). */
const faultOf = (cause: Cause.Cause<unknown>) => {
  const storage = sqlDefectIn(cause) !== undefined
  const retryHint = storage ? { retryAfterSeconds: TRANSIENT_RETRY_SECONDS } : {}
  return { refused: refuse("SERVER_FAULT", retryHint), status: storage ? 503 : 500 }
}

/** Counts, audits and answers: the one frame round every OAuth endpoint. */
export const makeFrame = Effect.map(AuditLog, (audit) => {
  /**
   * Refusals without a connection or a user are only counted: their sender may be anybody, and send any number of requests (decisions O23).
   */
  const auditOf = (entry: AuditEntry) =>
    entry.connectionId === undefined && entry.userId === undefined ? audit.count(entry) : audit.record(entry)
  const recordRefusal = (endpoint: Endpoint, refused: OAuthRefused) =>
    Effect.andThen(
      count(endpoint, refused.reasonId),
      auditOf({
        event: `${endpoint}.refused`,
        reasonId: refused.reasonId,
        clientId: refused.clientId,
        userId: refused.userId,
        orgId: refused.orgId,
        connectionId: refused.connectionId
      })
    )
  return (
    endpoint: Endpoint,
    handle: (request: HttpServerRequest.HttpServerRequest) => Effect.Effect<Response, OAuthRefused>,
    /** Renders a refusal; JSON unless the endpoint is for people. */
    show: (
      refused: OAuthRefused,
      status: number,
      request: HttpServerRequest.HttpServerRequest
    ) => Response = refusalAnswer
  ) =>
    Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
      handle(request).pipe(
        Effect.tap(() => count(endpoint, "ok")),
        Effect.catchTag("OAuthRefused", (refused) =>
          Effect.as(recordRefusal(endpoint, refused), show(refused, reasons[refused.reasonId].status, request))
        ),
        Effect.catchCause((cause) =>
          Cause.hasInterruptsOnly(cause)
            ? Effect.failCause(cause)
            : Effect.logError(`${endpoint} failed`, cause).pipe(
                Effect.andThen(count(endpoint, "SERVER_FAULT")),
                Effect.map(() => {
                  const { refused, status } = faultOf(cause)
                  const answer = show(refused, status, request)
                  return status === 503 ? HttpServerResponse.setHeader(answer, "retry-after", AWAY) : answer
                })
              )
        ),
        Effect.provideService(SourceAddress, sourceOf(request))
      )
    )
})

/** Known paths answer other methods with 405 in JSON. */
export const methodNotAllowed = (allowed: ReadonlyArray<string>): Response =>
  HttpServerResponse.setHeader(
    refusalAnswer(refuse("REQUEST_INVALID", { detail: `Use ${allowed.join(" or ")}` }), 405),
    "allow",
    allowed.join(", ")
  )
