// `/`: who is signed in, and the way to everything (issue "OAuth", pages).
import { Effect } from "effect"
import { AppConfig } from "../../platform/config/Config.ts"
import { html } from "../web/html.ts"
import { page } from "../web/layout.ts"
import { name, note } from "../web/parts.ts"
import type { Visit } from "../web/Visitors.ts"

const card = (href: string, title: string, text: string) =>
  html`<div class="card"><h2><a href="${href}">${title}</a></h2><p class="muted">${text}</p></div>`

const account = [
  card("/console/account/apps", "Connected apps", "See which apps act for you, and disconnect them."),
  card(
    "/console/account/tokens",
    "Access tokens",
    "For scripts and integrations, limited to what they need; and your API key."
  ),
  card(
    "/console/account/sign-in",
    "Sign-in methods",
    "Your password, passkeys, an authenticator app and recovery codes."
  ),
  card("/console/account/sessions", "Sessions", "Where you are signed in, and the way out of each.")
]
/** For people whom the console does not let in. */
const outside = [
  card("/account/connections", "Connected apps", "See which apps act for you, and disconnect them."),
  card("/account/password", "Password", "Change it. Connected apps go on."),
  card("/account/factors", "Two-step sign-in", "Passkeys, an authenticator app and recovery codes.")
]
const organization = [
  card("/console/admin/apps", "App policy", "Approve, limit and block apps, and end connections."),
  card("/console/admin/sign-in", "Sign-in policy", "Ask everybody for a second step, and help who has lost theirs."),
  card("/console/admin/audit", "Audit log", "Who connected, changed and ended what.")
]

export const makeStart = Effect.map(AppConfig, ({ baseUrl, mcpUrl }) => {
  const addresses = html`<h2>For developers</h2><div class="grid">
${card("/docs", "API documentation", "Guides, and every operation to try.")}
<div class="card"><h2>Addresses</h2><p>Developer API<br><code>${baseUrl}/v1</code></p><p>MCP server<br><code>${mcpUrl}/mcp</code></p>
<p><a href="/openapi.json">OpenAPI</a> · <a href="/.well-known/oauth-authorization-server">OAuth metadata</a></p></div></div>`

  return (visit: Visit) => {
    const { person, current, users } = visit
    if (person === undefined) {
      return Effect.succeed(
        page({
          title: "Start",
          visit,
          body: html`<h1>Records, webhooks and automations</h1>
<p class="lead">Millrace keeps your organization's records, tells other systems when they change, and carries out your automations. Apps connect by OAuth, with your consent.</p>
<p><a class="button" href="/sign-in">Sign in</a></p><hr>${addresses}`
        })
      )
    }
    const toConsole = html`<p><a class="button" href="/console">Open the console</a></p>`
    const isAdmin = current?.role === "owner" || current?.role === "admin"
    const { waiting } = visit
    const where =
      current !== undefined
        ? html`<p class="lead">You are signed in as <strong>${person.email}</strong> in <strong>${name(current.org_name)}</strong>, as ${current.role}.${users.length > 1 && html` <a href="/organization">Choose another organization</a>`}</p>`
        : users.length > 0
          ? html`<p class="lead">You are signed in as <strong>${person.email}</strong>. <a href="/organization">Choose an organization</a> to begin.</p>`
          : waiting.length > 0
            ? html`<p class="lead">You are signed in as <strong>${person.email}</strong>.</p>${note("warn", html`${name(waiting[0]!.org_name)} asks for a second step at sign-in. <a href="/account/factors">Set one up</a> to go on.`)}`
            : html`<p class="lead">You are signed in as <strong>${person.email}</strong>.</p>${note("warn", "You are not an active user of any organization. Ask an admin to add you.")}`
    return Effect.succeed(
      page({
        title: "Start",
        visit,
        body: html`<h1>Hello, ${name(person.name)}</h1>${where}${current !== undefined && toConsole}<h2>Your account</h2><div class="grid">${users.length > 0 ? account : outside}</div>
${isAdmin && html`<h2>Your organization</h2><div class="grid">${organization}</div>`}${addresses}`
      })
    )
  }
})
