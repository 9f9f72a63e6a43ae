// Index that the search of /docs looks through, in the reader's browser: pages and their sections with their words, operations, events, errors,
// scopes and types by name.
import { codes } from "../../api/middleware/errorCodes.ts"
import type { Catalogue } from "./describedApi.ts"
import type { DocsPage } from "./docsFrame.ts"
import type { TextPage } from "./guideTexts.ts"

export interface SearchEntry {
  readonly path: string
  readonly title: string
  /** Shown behind the title. */
  readonly text: string
  /** Words of its text, each once. */
  readonly words?: string
}

const wordsOf = (text: string) => [...new Set(text.toLowerCase().match(/[\p{L}\p{N}_-]{3,}/gu))].join(" ")

export const textEntries = ({ path, render, title }: TextPage): ReadonlyArray<SearchEntry> => [
  { path, title, text: "page" },
  ...render().sections.map((section) => ({
    path: `${path}#${section.id}`,
    title: section.title,
    text: title,
    words: wordsOf(section.text)
  }))
]

export const tableEntries = (catalogue: Catalogue, pages: ReadonlyArray<DocsPage>): ReadonlyArray<SearchEntry> => [
  ...pages.map(({ path, title }) => ({ path, title, text: "" })),
  ...catalogue.groups.flatMap(({ name, operations, slug }) => [
    { path: `/docs/${slug}`, title: name, text: "group" },
    ...operations.map(({ id, method, path, summary }) => ({
      path: `/docs/${slug}#${id}`,
      title: summary,
      text: `${method} ${path}`
    }))
  ]),
  ...catalogue.events.map(({ summary, type }) => ({ path: `/docs/hook-bodies#${type}`, title: type, text: summary })),
  ...Object.entries(codes).map(([code, { status }]) => ({
    path: `/docs/errors#${code}`,
    title: code,
    text: `error ${status}`
  })),
  ...Object.keys(catalogue.scopes).map((scope) => ({ path: `/docs/scopes#${scope}`, title: scope, text: "scope" })),
  ...Object.keys(catalogue.schemas).map((name) => ({ path: `/docs/types/${name}`, title: name, text: "type" }))
]
