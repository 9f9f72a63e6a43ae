// The frame of every page of /docs: the side bar with all names, the search, the reader's token; scripts and styles from here alone.
import { icon, logo, stylesheet } from "../web/assets.ts"
import { type Content, html } from "../web/html.ts"
import { docsScript, docsStyle } from "./docsAssets.ts"

export interface DocsPage {
  readonly path: string
  readonly title: string
  readonly body: Content
}

export interface PageLink {
  readonly path: string
  readonly title: string
}

export interface Shelf {
  readonly name: string
  readonly pages: ReadonlyArray<PageLink>
}

/** Stands where each answer has a nonce of its own. */
export const NONCE = "%nonce%"

/** No host but this one, nothing inline; and of what this origin serves, which tenants' files are among, the one script of ours. */
export const docsPolicy = (nonce: string) =>
  [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    "style-src 'self'",
    "img-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'"
  ].join("; ")

const link = (here: string, path: string, title: string) =>
  html`<li><a href="${path}"${here === path && html` aria-current="page"`}>${title}</a></li>`

export const framed = (shelves: ReadonlyArray<Shelf>, { body, path, title }: DocsPage): string =>
  html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Millrace</title><link rel="icon" href="${icon.path}" type="image/svg+xml">
<link rel="stylesheet" href="${stylesheet.path}"><link rel="stylesheet" href="${docsStyle.path}">
<script src="${docsScript.path}" nonce="${NONCE}" defer></script></head>
<body class="docs"><a class="skip" href="#content">Skip to content</a>
<header class="top"><div><a class="brand" href="/">${logo} Millrace</a>
<div class="search" role="search"><label class="away" for="search">Search the documentation</label>
<input id="search" type="search" placeholder="Search" autocomplete="off" aria-controls="found"><ul id="found" hidden></ul></div>
<div class="who"><a href="/openapi.json">OpenAPI</a></div></div></header>
<div class="beside"><nav class="side" aria-label="Documentation"><details open><summary>Contents</summary>
<ul><li><a href="/docs"${path === "/docs" && html` aria-current="page"`}>Overview</a></li></ul>
${shelves.map(({ name, pages }) => html`<h2>${name}</h2><ul>${pages.map((one) => link(path, one.path, one.title))}</ul>`)}</details></nav>
<main id="content">${body}</main></div></body></html>
`.markup
