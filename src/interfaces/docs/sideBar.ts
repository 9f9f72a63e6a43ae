// The side bar of /docs: every page under the part of the documentation that it belongs to (docs/README.md).
import type { Catalogue } from "./describedApi.ts"
import type { PageLink, Shelf } from "./docsFrame.ts"
import type { TextPage } from "./guideTexts.ts"

const manual = (names: string) => names.split(" ").map((name) => `/docs/manual/${name}`)

const HOW_TO = manual("troubleshooting recipes receiving-webhooks console moving production deploy operations")
const REFERENCE = [
  ...manual("api fields triggers actions references scripts mcp mcp-tasks settings metrics glossary support"),
  "/docs/changelog"
]
const EXPLANATION = manual("architecture engine security scaling benchmarks decisions contributing")

/** Pages that are put together from tables (docsPages.ts). */
const TABLES: ReadonlyArray<PageLink> = [
  { path: "/docs/hook-bodies", title: "What hooks are sent" },
  { path: "/docs/errors", title: "Errors" },
  { path: "/docs/scopes", title: "Scopes" },
  { path: "/docs/limits", title: "Limits" }
]

export const sideBarOf = ({ groups }: Catalogue, pages: ReadonlyMap<string, TextPage>): ReadonlyArray<Shelf> => {
  const linksTo = (paths: ReadonlyArray<string>) =>
    paths.flatMap((path) => {
      const page = pages.get(path)
      return page === undefined ? [] : [{ path, title: page.title }]
    })
  const guides = [...pages.keys()].filter((path) => path.startsWith("/docs/guides/"))
  return [
    { name: "Tutorials", pages: linksTo(guides) },
    { name: "How to", pages: linksTo(HOW_TO) },
    { name: "API", pages: [...groups.map(({ name, slug }) => ({ path: `/docs/${slug}`, title: name })), ...TABLES] },
    { name: "Reference", pages: linksTo(REFERENCE) },
    { name: "Explanation", pages: linksTo(EXPLANATION) }
  ]
}
