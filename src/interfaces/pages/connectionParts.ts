// The parts of lists of connections that pages share: the app's name, and its permissions in plain words.
import type { ConnectionView } from "../../domain/connections/Connection.ts"
import { scopeLines } from "../../domain/oauth/scopes.ts"
import { html } from "../web/html.ts"
import { name } from "../web/parts.ts"

export const appName = (app: { readonly client_name: string | null; readonly client_id: string }) =>
  name(app.client_name ?? app.client_id)

export const scopeList = (scopes: ConnectionView["scopes"]) =>
  html`<details><summary>${scopes.length === 1 ? "1 permission" : `${scopes.length} permissions`}</summary>
<ul class="ticks">${scopes.map((scope) => html`<li>${scopeLines[scope]} <code>${scope}</code></li>`)}</ul></details>`
