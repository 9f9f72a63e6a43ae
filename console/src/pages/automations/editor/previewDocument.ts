// HTML that somebody wrote, made fit to be looked at inside our page: no scripts, no frames, no forms, no handlers, nothing loaded from
// elsewhere; its styles as sheets and properties, since the page's policy has nothing inline. It is read by a parser of its own: the
// browser's would look at inline styles as it reads.
import { Parser } from "htmlparser2"
import type { Part } from "./model/chips.ts"
import type { Reference } from "./model/definition.ts"

const SHOWN = new Set(
  (
    "a abbr address article aside b blockquote br caption center cite code col colgroup dd del details dfn div dl dt em figcaption " +
    "figure font footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li main mark nav ol p pre q s samp section small span strong sub " +
    "summary sup table tbody td tfoot th thead time tr u ul var"
  ).split(" ")
)
/** Neither they nor what is in them. */
const HIDDEN = new Set(["script", "style", "title", "iframe", "object", "template", "noscript", "svg", "math"])
const KEPT = new Set(["class", "id", "colspan", "rowspan", "align", "valign", "width", "height", "alt", "dir", "lang"])

const paper = new CSSStyleSheet()
paper.replaceSync(`
  :host { display: block; background: #fff; color: #1a2029; padding: 1.25rem; overflow: auto; font: 0.8125rem/1.5 system-ui, sans-serif; }
  .reference { background: #e2f3ea; color: #0c4a2b; border-radius: 6px; padding: 0 0.3em; }
  table { border-collapse: collapse; } td, th { padding: 0.2em 0.5em; border: 1px solid #d7dde5; } img { max-width: 100%; }
`)

const drawn = (name: string, attributes: Readonly<Record<string, string>>): HTMLElement => {
  const element = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) {
    if (KEPT.has(key) || (key === "src" && value.startsWith("data:image/"))) element.setAttribute(key, value)
    if (key === "style") element.style.cssText = value
  }
  return element
}

/** @param wordsOf what stands in the place of a value */
export const previewOf = (parts: ReadonlyArray<Part>, wordsOf: (reference: Reference) => string) => {
  const references: Array<Reference> = []
  const html = parts
    .map((part) => (typeof part === "string" ? part : `<x-reference at="${references.push(part) - 1}"></x-reference>`))
    .join("")
  const top = document.createElement("div")
  const open: Array<{ readonly name: string; readonly element: HTMLElement }> = [{ name: "", element: top }]
  let hidden = 0
  let styles = ""
  let inStyle = false
  const within = () => open.at(-1)!.element
  const parser = new Parser({
    onopentag: (name, attributes) => {
      inStyle = name === "style"
      if (HIDDEN.has(name)) hidden += 1
      if (hidden > 0) return
      const reference = name === "x-reference" ? references[Number(attributes["at"])] : undefined
      if (reference !== undefined) {
        const place = drawn("span", {})
        place.className = "reference"
        place.textContent = wordsOf(reference)
        within().append(place)
        return
      }
      if (!SHOWN.has(name)) return
      const element = drawn(name, attributes)
      within().append(element)
      open.push({ name, element })
    },
    ontext: (text) => {
      if (inStyle) styles += text
      else if (hidden === 0) within().append(text)
    },
    onclosetag: (name) => {
      inStyle = false
      if (HIDDEN.has(name)) hidden -= 1
      else if (open.length > 1 && open.at(-1)!.name === name) open.pop()
    }
  })
  parser.end(html)
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(styles)
  return { node: top, sheets: [paper, sheet] }
}
