// The pages of /docs that are written in Markdown: guides, manual and changelog. A page is rendered when it is first asked for.
import { readFileSync } from "node:fs"
import { html, trusted } from "../web/html.ts"
import type { DocsPage } from "./docsFrame.ts"
import { attachedFiles, fileUrl, guideFiles, guideName, pageFiles } from "./manualFiles.ts"
import { type AddressOf, type RenderedPage, renderPage, titleOf } from "./markdown.ts"

const read = (file: string) => readFileSync(fileUrl(file), "utf8")

export interface TextPage {
  readonly file: string
  readonly path: string
  readonly title: string
  readonly render: () => RenderedPage
}

/** Every page by the address it has. */
export const textPages = (): ReadonlyMap<string, TextPage> => {
  const pages = pageFiles()
  const files = new Map([...pages, ...attachedFiles()])
  const addressOf: AddressOf = (file) => files.get(file)
  return new Map(
    [...pages].map(([file, path]) => {
      const markdown = read(file)
      return [path, { file, path, title: titleOf(markdown), render: () => renderPage(file, markdown, addressOf) }]
    })
  )
}

export const docsPageOf = ({ path, render }: TextPage): DocsPage => {
  const { markup, title } = render()
  return { path, title, body: html`<h1>${title}</h1>${trusted(markup)}` }
}

/** Guides as Markdown, in the order of their numbers. */
export const guideSources = () => guideFiles().map((file) => ({ name: guideName(file), markdown: read(file) }))
