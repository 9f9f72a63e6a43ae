// Names the app that asks, in words that claim nothing unchecked: the name that the app gave itself, the host that the browser will be sent
// to, the host of its metadata document, and Unverified (service.md 2.2, 4.1; decisions O5, O24).

import { type Client, displayName, documentHost } from "../../../domain/oauth/clients/Client.ts"
import { showable } from "../../../domain/oauth/clients/clientNames.ts"
import type { RedirectTarget } from "../../../domain/oauth/redirectTarget.ts"
import { type Html, html } from "../../web/html.ts"
import { name, tag } from "../../web/pageParts.ts"
import { asking as texts } from "./texts.ts"

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
  return html`<p class="app">${texts.sendsYouToHost(html`<strong>${hostOf(target)}</strong>`)}${target.type !== "website" && html` ${tag("warn", texts.unverified)}`}</p>
${document !== undefined && html`<p class="app muted">${texts.itsIdIsADocument(html`<strong>${document}</strong>`)}</p>`}`
}

/** Explains what Unverified means for this target; nothing for a website. */
export const warning = ({ target }: Asking): Html | false => {
  switch (target.type) {
    case "website":
      return false
    case "loopback":
      return html`<div class="note warn"><p>${texts.thisAppCannotBeTied(html`<strong>${hostOf(target)}</strong>`)}</p></div>`
    case "app":
      return html`<div class="note warn"><p>${texts.thisAppCannotBeTiedToAWebsite(html`<strong>${hostOf(target)}</strong>`)}</p></div>`
  }
}

/** The sign-in page on the way to a consent. */
export const askingPart = (asking: Asking): Html =>
  html`<div class="note"><p>${texts.asksToAct(html`<strong>${name(appOf(asking))}</strong>`)}</p>${whereTo(asking)}</div>`
