// `/invitation/{token}`: who invites to what, and accepting it (developer-api.md 11.5): signed in where the person has a password, else by
// setting one. To open the page uses nothing up, so that what looks through mails for bad links does not; a form does. Whoever has no link
// that works is told the same, whatever became of it.
import { Effect } from "effect"
import { HttpRouter } from "effect/http"
import { Acceptance, type InvitationInvalid } from "../../domain/accounts/invitations/Acceptance.ts"
import { type OpenInvitation, roleWords } from "../../domain/accounts/invitations/invitationRows.ts"
import { Sessions } from "../../domain/oauth/Sessions.ts"
import { AppConfig } from "../../platform/config/Config.ts"
import { withSession } from "../web/cookie.ts"
import type { Fields } from "../web/form.ts"
import { html } from "../web/html.ts"
import { makeKnownBrowsers } from "../web/KnownBrowsers.ts"
import { messagePage, page, seeOther } from "../web/layout.ts"
import type { Response } from "../web/pageFrame.ts"
import { hiddenField, name, note } from "../web/pageParts.ts"
import { busy, soon } from "../web/passwordGuesses.ts"
import { type Visit, Visitors } from "../web/Visitors.ts"
import { newPasswordFields, newPasswordProblem } from "./newPassword.ts"
import { makeOpenForm } from "./openForm.ts"
import { invitation as texts } from "./texts/signIn.ts"

const deadPage = messagePage(
  texts.thisInvitationDoesNotWork,
  texts.itWasUsedWithdrawn,
  400,
  html`<p><a href="/sign-in">${texts.signIn}</a></p>`
)

const CONSOLE = "/console"

const pathOf = (token: string) => `/invitation/${encodeURIComponent(token)}`

const introduction = ({ email, inviter, org_name, role, workspaces }: OpenInvitation) =>
  html`<h1>${texts.join(name(org_name))}</h1>
<p>${texts.toJoinAsRoleWord(inviter === null ? html`${texts.youAreInvited}` : html`${texts.invitesYou(html`<strong>${name(inviter)}</strong>`)}`, html`<strong>${name(org_name)}</strong>`, roleWords[role], html`<strong>${email}</strong>`)}</p>
${workspaces.length > 0 && html`<p>${texts.workspaces} ${workspaces.map((one, index) => html`${index > 0 && ", "}${name(one)}`)}</p>`}`

/** The step that whoever looks at it can take. */
const nextStep = (invitation: OpenInvitation, { person }: Visit, token: string, csrf: string) => {
  const { email, has_password, person_id, unproven } = invitation
  const form = (fields: ReturnType<typeof html>, button: string) =>
    html`<form method="post" action="${pathOf(token)}">${hiddenField("csrf", csrf)}${fields}<div class="buttons"><button>${button}</button></div></form>`
  if (has_password && person?.person_id === person_id) return form(html``, texts.acceptTheInvitation)
  if (has_password)
    return html`<p>${texts.signInAsEmail(person !== undefined && html`${texts.youAreSigned(person.email)} `, email)}</p>
<p><a class="button" href="/sign-in?next=${encodeURIComponent(pathOf(token))}">${texts.signIn}</a></p>`
  if (unproven) return html`<p>${texts.youHaveNoPasswordHere}</p>`
  return form(
    html`<input type="hidden" name="username" autocomplete="username" value="${email}">${newPasswordFields}`,
    texts.setPasswordAndJoin
  )
}

export const makeInvitation = Effect.gen(function* () {
  const { baseUrl } = yield* AppConfig
  const acceptance = yield* Acceptance
  const sessions = yield* Sessions
  const visitors = yield* Visitors
  const browsers = yield* makeKnownBrowsers
  const openForm = yield* makeOpenForm
  const linkToken = Effect.map(HttpRouter.params, (params) => (params["token"] ?? "").slice(0, 200))
  const orDead = <R>(shown: Effect.Effect<Response, InvitationInvalid, R>) =>
    Effect.catchTag(shown, "InvitationInvalid", () => Effect.succeed(deadPage))

  const view = (
    invitation: OpenInvitation,
    visit: Visit,
    token: string,
    csrf: string,
    problem?: string,
    status = 200
  ) =>
    page({
      title: texts.invitation,
      status,
      body: html`${introduction(invitation)}${problem !== undefined && note("bad", problem)}${nextStep(invitation, visit, token, csrf)}`
    })

  const show = Effect.fn("pages.invitation")(function* (visit: Visit) {
    const token = yield* linkToken
    return yield* orDead(
      Effect.flatMap(acceptance.peek(token), (invitation) =>
        openForm(visit, (csrf) => view(invitation, visit, token, csrf))
      )
    )
  })

  const withPassword = Effect.fnUntraced(function* (visit: Visit, token: string, fields: Fields) {
    const session = visit.session!
    const showProblem = (problem: string, status: number) =>
      Effect.map(acceptance.peek(token), (invitation) => view(invitation, visit, token, session.csrf, problem, status))
    const problem = newPasswordProblem(fields)
    if (problem !== undefined) return yield* showProblem(problem, 400)
    return yield* acceptance.joinWithPassword(token, fields.get("password")).pipe(
      Effect.flatMap(({ person_id }) =>
        sessions.signIn(session, { person_id }, visit.request.headers["user-agent"]).pipe(
          Effect.flatMap((begun) =>
            browsers.remember(withSession(seeOther(CONSOLE), baseUrl, begun), visit, person_id)
          ),
          // Another password was set in this moment.
          Effect.catchTag("SignInOvertaken", () => Effect.succeed(seeOther(`/sign-in?next=${CONSOLE}`)))
        )
      ),
      Effect.catchTag("PlacesFull", () => Effect.map(showProblem(busy, 429), soon)),
      Effect.catchTag("ValidationError", Effect.die)
    )
  })

  const submit = Effect.fn("pages.invitationSubmit")(function* (visit: Visit, fields: Fields) {
    const token = yield* linkToken
    const { person, session } = visit
    return yield* orDead(
      Effect.gen(function* () {
        const { has_password, person_id } = yield* acceptance.peek(token)
        if (!has_password) return yield* withPassword(visit, token, fields)
        // A form that was shown before the password was set, or before somebody else signed in: the page says what to do now.
        if (person?.person_id !== person_id || session === undefined) return seeOther(pathOf(token))
        const { user_id } = yield* acceptance.join(token, person_id)
        yield* visitors.choose(session, user_id)
        return seeOther(CONSOLE)
      })
    )
  })

  return { show, submit }
})
