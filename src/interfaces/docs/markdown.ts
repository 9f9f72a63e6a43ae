// Markdown of the repository as HTML of /docs. It is ours, so its HTML is trusted. A link to a file that is served leads to its address
// here; a link to another file is shown as its text.
import { posix } from "node:path"
import { Marked } from "marked"
import { getHeadingList, gfmHeadingId } from "marked-gfm-heading-id"
import { readable } from "../../platform/text/markup.ts"

/** Address of a file of the repository at this service, if it is served. */
export type AddressOf = (file: string) => string | undefined

interface Section {
  /** Its fragment, as forges make it of the heading. */
  readonly id: string
  readonly title: string
  /** Its text without markup. */
  readonly text: string
}

export interface RenderedPage {
  readonly title: string
  /** Markup that follows the title. */
  readonly markup: string
  readonly sections: ReadonlyArray<Section>
}

/** Sections by their headings, without the page's own. */
const sectionsOf = (markup: string): ReadonlyArray<Section> => {
  const titles = new Map(getHeadingList().map(({ id, text }) => [id, readable(text)]))
  return markup.split(/<h[2-4] id="/).flatMap((part) => {
    const id = part.slice(0, part.indexOf('"'))
    const title = titles.get(id)
    return title === undefined ? [] : [{ id, title, text: readable(part.slice(part.indexOf(">") + 1)) }]
  })
}

/** Makes the renderer of a file, whose relative links begin at its folder. */
const rendererOf = (file: string, addressOf: AddressOf) => {
  const resolve = (href: string) => {
    if (/^([a-z]+:|\/|#)/i.test(href)) return href
    const [path = "", fragment] = href.split("#")
    const address = addressOf(posix.join(posix.dirname(file), path))
    return address === undefined || fragment === undefined ? address : `${address}#${fragment}`
  }
  return new Marked(gfmHeadingId(), {
    renderer: {
      link(link) {
        const href = resolve(link.href)
        const text = this.parser.parseInline(link.tokens)
        return href === undefined ? text : `<a href="${href}">${text}</a>`
      },
      html: ({ text }) => text.replaceAll(/(?<=<img src=")[^"]+/g, (href) => resolve(href) ?? href)
    }
  })
}

/** Renders a file that begins with its title in a line. */
export const renderPage = (file: string, markdown: string, addressOf: AddressOf): RenderedPage => {
  const end = markdown.indexOf("\n")
  const parsedMarkup = rendererOf(file, addressOf).parse(markdown.slice(end), { async: false })
  const markup = parsedMarkup
    .replaceAll("<table>", '<div class="scroll" tabindex="0"><table>')
    .replaceAll("</table>", "</table></div>")
    .replaceAll("<pre>", '<pre tabindex="0">')
  return { title: titleOf(markdown), markup, sections: sectionsOf(parsedMarkup) }
}

/** First heading of a file. */
export const titleOf = (markdown: string): string => markdown.slice(2, markdown.indexOf("\n"))
