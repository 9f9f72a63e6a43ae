// Names the app that asks, in words that claim nothing unchecked: the name that the app gave itself, the host that the browser will be sent
// to, the host of its metadata document, and Unverified (service.md 2.2, 4.1; decisions O5, O24).

import { type Client, displayName, documentHost } from "../../../domain/oauth/clients/Client.ts"
import { showable } from "../../../domain/oauth/clients/text.ts"
import type { RedirectTarget } from "../../../domain/oauth/redirectUri.ts"
import { type Html, html } from "../../web/html.ts"
import { name, tag } from "../../web/parts.ts"

export interface Asking {
  readonly client: Client
  readonly target: RedirectTarget
}

/** The app's name, as plain text. */
export const appOf = ({ client, target }: Asking): string =>
  showable(displayName(client, target.type === "app" ? undefined : target.host))

const hostOf = (target: RedirectTarget) => (target.type === "app" ? `${target.scheme}:` : target.host)

/** Destination of the redirect, shown under the app's name. */
export const whereTo = ({ client, target }: Asking): Html => {
  const document = documentHost(client)
  return html`<p class="app">Sends you to <strong>${hostOf(target)}</strong>${target.type !== "website" && html` ${tag("warn", "Unverified")}`}</p>
${document !== undefined && html`<p class="app muted">Its ID is a document of <strong>${document}</strong></p>`}`
}

/** Explains what Unverified means for this target; nothing for a website. */
export const warning = ({ target }: Asking): Html | false => {
  switch (target.type) {
    case "website":
      return false
    case "loopback":
      return html`<div class="note warn"><p>This app cannot be tied to a website. You will be sent to <strong>${hostOf(target)}</strong>, a program on your own computer. Go on only if you have just started it yourself.</p></div>`
    case "app":
      return html`<div class="note warn"><p>This app cannot be tied to a website. You will be sent to <strong>${hostOf(target)}</strong>, an app on this device. Go on only if you have just used it yourself.</p></div>`
  }
}

/** The sign-in page on the way to a consent. */
export const askingPart = (asking: Asking): Html =>
  html`<div class="note"><p><strong>${name(appOf(asking))}</strong> asks to act as you. You decide after signing in.</p>${whereTo(asking)}</div>`
