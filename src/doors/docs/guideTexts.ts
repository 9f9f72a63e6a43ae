// Guides and changelog: written in Markdown (guides, CHANGELOG.md), shown as pages. They are ours, so their HTML is trusted.
import { readdirSync, readFileSync } from "node:fs"
import { marked } from "marked"
import { html, trusted } from "../web/html.ts"
import type { DocsPage } from "./docsFrame.ts"

const folder = new URL("./guides/", import.meta.url)
const log = new URL("../../../CHANGELOG.md", import.meta.url)

/** Links between the files of the repository lead to their pages here. */
const rendered = (markdown: string) =>
  (marked.parse(markdown, { async: false }) as string)
    .replaceAll(/href="(\w+)\.md"/g, 'href="/docs/guides/$1"')
    .replaceAll("<table>", '<div class="scroll" tabindex="0"><table>')
    .replaceAll("</table>", "</table></div>")
    .replaceAll("<pre>", '<pre tabindex="0">')

const textPage = (path: string, markdown: string): DocsPage => {
  const end = markdown.indexOf("\n")
  const title = markdown.slice(2, end)
  return { path, title, body: html`<h1>${title}</h1>${trusted(rendered(markdown.slice(end)))}` }
}

/** Guides as Markdown, in the order of their numbers: `1-records.md` is `records`. */
export const guideSources = () =>
  readdirSync(folder)
    .toSorted()
    .map((file) => ({ name: file.slice(2, -3), markdown: readFileSync(new URL(file, folder), "utf8") }))

export const guides = (): ReadonlyArray<DocsPage> =>
  guideSources().map(({ markdown, name }) => textPage(`/docs/guides/${name}`, markdown))

export const changelog = (): DocsPage => textPage("/docs/changelog", readFileSync(log, "utf8"))
