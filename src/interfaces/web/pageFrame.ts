// The one frame round every page: who visits, forms of this session only, faults as pages (decisions O10, O11).
import { Cause, Effect, Option } from "effect"
import { Cookies, HttpServerRequest, HttpServerResponse } from "effect/http"
import { csrfMatches, type Session } from "../../domain/oauth/Sessions.ts"
import { CurrentActor, signedIn } from "../../platform/audit/AuditActor.ts"
import { SourceAddress } from "../../platform/audit/AuditLog.ts"
import { AppConfig } from "../../platform/config/Config.ts"
import { pathOf } from "../../platform/primitives/requestPath.ts"
import { type Changes, watched } from "../../platform/sql/Changes.ts"
import { sqlDefectIn } from "../../platform/sql/sqlDefect.ts"
import { TRANSIENT_RETRY_SECONDS } from "../../platform/sql/transientErrors.ts"
import { cookieName, withSession } from "./cookie.ts"
import { type Fields, fieldsOf, readFields } from "./form.ts"
import { queryOf } from "./formBody.ts"
import { html } from "./html.ts"
import { messagePage, seeOther } from "./layout.ts"
import { sourceOf } from "./sharedAnswers.ts"
import { isToken, leadsOn, signInFirst } from "./staleForm.ts"
import { frame as texts } from "./texts.ts"
import { isMember, isSignedIn, type MemberVisit, type SignedIn, type Visit, Visitors } from "./Visitors.ts"

export type Response = HttpServerResponse.HttpServerResponse
type Answer<E, R> = Effect.Effect<Response, E, R>
export type PageHandler<V, E = never, R = never> = (visit: V) => Answer<E, R>
/** A form's handler: the fields carry this session's token. */
export type Posted<V, E = never, R = never> = (visit: V, fields: Fields) => Answer<E, R>

export const forged = messagePage(
  texts.formCannotBeAccepted,
  texts.itDoesNotBelong,
  403,
  html`<p><a href="/">${texts.startPage}</a></p>`
)
const notMember = messagePage(
  texts.noOrganization,
  texts.youAreNotAnActive,
  403,
  html`<p><a href="/">${texts.startPage}</a></p>`
)

/** Address to return to after a detour; a form is not sent again. */
const targetOf = ({ request, path }: Visit) => {
  const query = request.method === "POST" ? "" : queryOf(request.originalUrl)
  return query === "" ? path : `${path}?${query}`
}

/** A page for signed-in people. */
export const forPerson =
  <E, R>(handle: PageHandler<SignedIn, E, R>): PageHandler<Visit, E, R> =>
  (visit) =>
    isSignedIn(visit) ? handle(visit) : Effect.succeed(signInFirst(targetOf(visit)))

/** A page about one organization: the only one, or the one the person chose. */
export const forMember = <E, R>(handle: PageHandler<MemberVisit, E, R>): PageHandler<Visit, E, R> =>
  forPerson((visit) => {
    if (isMember(visit)) return handle(visit)
    if (visit.users.length === 0 && visit.waiting.length > 0)
      return Effect.succeed(seeOther(`/account/factors?next=${encodeURIComponent(targetOf(visit))}`))
    if (visit.users.length === 0) return Effect.succeed(notMember)
    return Effect.succeed(seeOther(`/organization?next=${encodeURIComponent(targetOf(visit))}`))
  })

/** No text of the database holds a NUL. */
const noAddress = messagePage(texts.thereIsNoSuchPage, texts.addressContainsACharacter, 400)

/** A form that was sent has done nothing, or may have done what it asks for. */
const toldOf = (changes: Changes | undefined) => {
  const unavailableText = texts.serviceCannotAnswerRightNow
  if (changes === undefined) return texts.unavailableTextTryAgain(unavailableText)
  return changes.possible
    ? texts.unavailableTextItIsNotKnown(unavailableText)
    : texts.unavailableTextNothingWasChanged(unavailableText)
}

export const makeFrame = Effect.gen(function* () {
  const { baseUrl } = yield* AppConfig
  const visitors = yield* Visitors

  const visitOf = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
    const visitor = yield* visitors.find(request)
    const path = pathOf(request.originalUrl)
    return { request, path, query: fieldsOf(queryOf(request.originalUrl)), ...visitor } satisfies Visit as Visit
  })

  const fault = (cause: Cause.Cause<unknown>, changes?: Changes) => {
    if (Cause.hasInterruptsOnly(cause)) return Effect.failCause(cause as Cause.Cause<never>)
    const storage = sqlDefectIn(cause) !== undefined
    return Effect.map(Effect.logError("page failed", cause), () => {
      const page = messagePage(texts.somethingWentWrong, toldOf(changes), storage ? 503 : 500)
      return storage ? HttpServerResponse.setHeader(page, "retry-after", String(TRANSIENT_RETRY_SECONDS)) : page
    })
  }

  const framed = <E, R>(handle: (request: HttpServerRequest.HttpServerRequest) => Answer<E, R>) =>
    Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
      pathOf(request.originalUrl).includes("%00")
        ? Effect.succeed(noAddress)
        : handle(request).pipe(
            Effect.catchCause((cause) => fault(cause)),
            Effect.provideService(SourceAddress, sourceOf(request)),
            Effect.provideService(CurrentActor, signedIn)
          )
    )

  const names = (response: Response) => Option.isSome(Cookies.get(response.cookies, cookieName(baseUrl)))

  /** The browser keeps the cookie as long as the server keeps the session: 30 days from the last visit. An answer that begins another one says so itself. */
  const kept = (response: Response, session: Session | undefined) =>
    session === undefined || session.person_id === null || names(response)
      ? response
      : withSession(response, baseUrl, session)

  const showPage = <E, R>(handle: PageHandler<Visit, E, R>) =>
    framed(
      Effect.fnUntraced(function* (request) {
        const visit = yield* visitOf(request)
        return kept(yield* handle(visit), visit.session)
      })
    )

  /** Forms say for which user they were shown (`as`), so that a choice made in another tab changes nothing here. */
  const posted = <E, R>(
    guard: (handle: PageHandler<any, E, R>) => PageHandler<Visit, E, R>,
    handle: Posted<any, E, R>,
    open = false
  ) =>
    framed(
      Effect.fnUntraced(function* (request) {
        // Resolves the visitor after the body has arrived: that may take half a minute, and a session or a role may end meanwhile.
        const fields = yield* readFields(request)
        const visit = yield* visitOf(request)
        const csrf = fields?.get("csrf") ?? ""
        if (fields === undefined || !isToken(csrf)) return forged
        if (visit.session === undefined || !csrfMatches(visit.session, csrf))
          return kept(leadsOn(visit, fields.get("next"), open), visit.session)
        const as = fields.get("as")
        const current = as === "" ? visit.current : visit.users.find((user) => String(user.user_id) === as)
        if (as !== "" && current === undefined) return forged
        return yield* watched((changes) =>
          Effect.catchCause(guard((v: any) => handle(v, fields))({ ...visit, current }), (cause) =>
            fault(cause, changes)
          )
        )
      })
    )

  return {
    shown: showPage,
    /** Anybody with a session, signed in or not. */
    postedByAnyone: <E, R>(handle: Posted<Visit, E, R>) => posted((h) => h, handle, true),
    postedByPerson: <E, R>(handle: Posted<SignedIn, E, R>) => posted(forPerson, handle),
    postedByMember: <E, R>(handle: Posted<MemberVisit, E, R>) => posted(forMember, handle)
  }
})
