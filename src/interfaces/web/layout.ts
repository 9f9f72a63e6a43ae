// The frame of every page and its policy: no script but those that a page names, a form that leads where it says (decisions O11; http/securityHeaders.ts adds the rest).
import { randomBytes } from "node:crypto"
import { HttpServerResponse } from "effect/http"
import { icon, logo, stylesheet } from "./assets.ts"
import { type Content, html } from "./html.ts"
import { hiddenField, name } from "./pageParts.ts"
import { noStore } from "./sharedAnswers.ts"
import { layout as texts } from "./texts.ts"
import type { Visit } from "./Visitors.ts"

export interface PageParts {
  readonly title: string
  readonly body: Content
  /** Signed-in pages show their menu; without a visit the page is a single card (sign-in, consent, messages). */
  readonly visit?: Visit | undefined
  readonly status?: number
  /** Addresses that a form of this page may lead to in the end, the likeliest first. */
  readonly formTargets?: ReadonlyArray<string>
  /** Scripts of ours, by their addresses; a page has none unless browsers leave no other way. */
  readonly scripts?: ReadonlyArray<string>
}

/** The scheme as a CSP source. Hosts would not do: an IPv6 loopback host has no spelling there. */
const schemeOf = (uri: string) => `${uri.slice(0, uri.indexOf(":")).toLowerCase()}:`

/**
 * Chromium applies `form-action` to every hop after the form. A website may send the browser on to an app's own scheme that
 * nobody registered here (measured: blocked), and there is no wildcard for schemes: a form that leads to one goes without.
 */
const formAction = (targets: ReadonlyArray<string>): ReadonlyArray<string> => {
  if (targets[0]?.startsWith("https:")) return []
  const schemes = targets.length === 0 ? [] : ["https:", "http:", ...targets.map(schemeOf)]
  return [`form-action ${[...new Set(["'self'", ...schemes])].join(" ")}`]
}

const policyOf = (nonce: string, formTargets: ReadonlyArray<string>, scripted: boolean) =>
  [
    "default-src 'none'",
    ...(scripted ? [`script-src 'nonce-${nonce}'`] : []),
    `style-src 'nonce-${nonce}'`,
    "img-src 'self'",
    "font-src 'self'",
    ...formAction(formTargets),
    "frame-ancestors 'none'",
    "base-uri 'none'"
  ].join("; ")

const links = [
  { href: "/console/account/apps", text: texts.connectedApps },
  { href: "/console/account/tokens", text: texts.accessTokens },
  { href: "/console/account/sign-in", text: texts.signInMethods }
] as const
/** Links for people whom the console does not let in. */
const outsideLinks = [
  { href: "/account/connections", text: texts.connectedApps },
  { href: "/account/password", text: texts.password },
  { href: "/account/factors", text: texts.twoStepSignIn }
] as const
const adminLinks = [
  { href: "/console/admin/apps", text: texts.appPolicy },
  { href: "/console/admin/sign-in", text: texts.signInPolicy },
  { href: "/console/admin/audit", text: texts.auditLog }
] as const

const linksOf = ({ current, users }: Visit) => {
  if (users.length === 0) return outsideLinks
  return current?.role === "owner" || current?.role === "admin" ? [...links, ...adminLinks] : links
}

const menu = (visit: Visit) => {
  const { path, person, session, current, users } = visit
  if (person === undefined || session === undefined) {
    return html`<header class="top"><div><a class="brand" href="/">${logo} Millrace</a>
<div class="who"><a href="/docs">${texts.documentation}</a> <a class="button" href="/sign-in">${texts.signIn}</a></div></div></header>`
  }
  return html`<header class="top"><div>
<a class="brand" href="/">${logo} Millrace</a>
<div class="who"><p>${name(person.name)}<br><small>${current === undefined ? person.email : name(current.org_name)}${users.length > 1 && html` · <a href="/organization">${texts.change}</a>`}</small></p>
<form method="post" action="/sign-out">${hiddenField("csrf", session.csrf)}<button class="quiet">${texts.signOut}</button></form></div>
<nav aria-label="${texts.account}"><ul>${linksOf(visit).map(
    ({ href, text }) => html`<li><a href="${href}"${path === href && html` aria-current="page"`}>${text}</a></li>`
  )}</ul></nav>
</div></header>`
}

export const page = ({ title, body, visit, status = 200, formTargets = [], scripts = [] }: PageParts) => {
  const nonce = randomBytes(16).toString("base64")
  const content =
    visit === undefined
      ? html`<main class="narrow" id="content"><a class="brand" href="/">${logo} Millrace</a>
<div class="card">${body}</div></main>`
      : html`${menu(visit)}<main id="content">${body}</main>`
  const document = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${texts.titleMillrace(title)}</title>
<link rel="stylesheet" href="${stylesheet.path}" nonce="${nonce}"><link rel="icon" href="${icon.path}" type="image/svg+xml">${scripts.map((src) => html`<script src="${src}" nonce="${nonce}" defer></script>`)}</head>
<body><a class="skip" href="#content">${texts.skipToContent}</a>${content}</body></html>
`
  return HttpServerResponse.text(document.markup, {
    status,
    contentType: "text/html; charset=utf-8",
    headers: { ...noStore, "content-security-policy": policyOf(nonce, formTargets, scripts.length > 0) }
  })
}

/** A page of one heading and one sentence. */
export const messagePage = (title: string, text: Content, status: number, more: Content = "") =>
  page({ title, status, body: html`<h1>${title}</h1><p>${text}</p>${more}` })

/** 303: the browser goes on with GET, whatever the method was (RFC 9700 4.12). */
export const seeOther = (location: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.empty({
    status: 303,
    headers: { location, ...noStore }
  })
