// `/`: who is signed in, and the way to everything (issue "OAuth", pages).
import { Effect } from "effect"
import { AppConfig } from "../../platform/config/Config.ts"
import { html } from "../web/html.ts"
import { page } from "../web/layout.ts"
import { name, note } from "../web/pageParts.ts"
import type { Visit } from "../web/Visitors.ts"
import { start as texts } from "./texts/account.ts"

const card = (href: string, title: string, text: string) =>
  html`<div class="card"><h2><a href="${href}">${title}</a></h2><p class="muted">${text}</p></div>`

const account = [
  card("/console/account/apps", texts.connectedApps, texts.seeWhichAppsAct),
  card("/console/account/tokens", texts.accessTokens, texts.forScriptsAndIntegrationsLimited),
  card("/console/account/sign-in", texts.signInMethods, texts.yourPasswordPasskeysAnAuthenticator),
  card("/console/account/sessions", texts.sessions, texts.whereYouAreSigned)
]
/** Links for people whom the console does not let in. */
const outside = [
  card("/account/connections", texts.connectedApps, texts.seeWhichAppsAct),
  card("/account/password", texts.password, texts.changeItConnected),
  card("/account/factors", texts.twoStepSignIn, texts.passkeysAnAuthenticatorApp)
]
const organization = [
  card("/console/admin/apps", texts.appPolicy, texts.approveLimitAndBlockApps),
  card("/console/admin/sign-in", texts.signInPolicy, texts.askEverybodyForASecond),
  card("/console/admin/audit", texts.auditLog, texts.whoConnectedChangedAndEnded)
]

export const makeStart = Effect.map(AppConfig, ({ baseUrl, mcpUrl }) => {
  const addresses = html`<h2>${texts.forDevelopers}</h2><div class="grid">
${card("/docs", texts.apiDocumentation, texts.guidesAndEveryOperation)}
<div class="card"><h2>${texts.addresses}</h2><p>${texts.developerApi}<br><code>${baseUrl}/v1</code></p><p>${texts.mcpServer}<br><code>${mcpUrl}/mcp</code></p>
<p><a href="/openapi.json">${texts.openAPI}</a> · <a href="/.well-known/oauth-authorization-server">${texts.oAuthMetadata}</a></p></div></div>`

  return (visit: Visit) => {
    const { person, current, users } = visit
    if (person === undefined) {
      return Effect.succeed(
        page({
          title: texts.start,
          visit,
          body: html`<h1>${texts.recordsWebhooksAndAutomations}</h1>
<p class="lead">${texts.millraceKeepsYourOrganizationsRecords}</p>
<p><a class="button" href="/sign-in">${texts.signIn}</a></p><hr>${addresses}`
        })
      )
    }
    const toConsole = html`<p><a class="button" href="/console">${texts.openTheConsole}</a></p>`
    const isAdmin = current?.role === "owner" || current?.role === "admin"
    const { waiting } = visit
    const where =
      current !== undefined
        ? html`<p class="lead">${texts.youAreSigned(html`<strong>${person.email}</strong>`, html`<strong>${name(current.org_name)}</strong>`, current.role, users.length > 1 && html` <a href="/organization">${texts.chooseAnotherOrganization}</a>`)}</p>`
        : users.length > 0
          ? html`<p class="lead">${texts.youAreSignedInAsEmail(html`<strong>${person.email}</strong>`, html`<a href="/organization">${texts.chooseAnOrganization}</a>`)}</p>`
          : waiting.length > 0
            ? html`<p class="lead">${texts.youAreSignedInAs(html`<strong>${person.email}</strong>`)}</p>${note("warn", html`${texts.asksForASecondStep(name(waiting[0]!.org_name), html`<a href="/account/factors">${texts.setOneUp}</a>`)}`)}`
            : html`<p class="lead">${texts.youAreSignedInAs(html`<strong>${person.email}</strong>`)}</p>${note("warn", texts.youAreNotAnActive)}`
    return Effect.succeed(
      page({
        title: texts.start,
        visit,
        body: html`<h1>${texts.hello(name(person.name))}</h1>${where}${current !== undefined && toConsole}<h2>${texts.yourAccount}</h2><div class="grid">${users.length > 0 ? account : outside}</div>
${isAdmin && html`<h2>${texts.yourOrganization}</h2><div class="grid">${organization}</div>`}${addresses}`
      })
    )
  }
})
