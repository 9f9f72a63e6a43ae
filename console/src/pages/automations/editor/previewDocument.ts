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
  const openElements: Array<{ readonly name: string; readonly element: HTMLElement }> = [{ name: "", element: top }]
  let hiddenDepth = 0
  let styles = ""
  let inStyle = false
  const findInnermost = () => openElements.at(-1)!.element
  const parser = new Parser({
    onopentag: (name, attributes) => {
      inStyle = name === "style"
      if (HIDDEN.has(name)) hiddenDepth += 1
      if (hiddenDepth > 0) return
      const reference = name === "x-reference" ? references[Number(attributes["at"])] : undefined
      if (reference !== undefined) {
        const referenceElement = drawn("span", {})
        referenceElement.className = "reference"
        referenceElement.textContent = wordsOf(reference)
        findInnermost().append(referenceElement)
        return
      }
      if (!SHOWN.has(name)) return
      const element = drawn(name, attributes)
      findInnermost().append(element)
      openElements.push({ name, element })
    },
    ontext: (text) => {
      if (inStyle) styles += text
      else if (hiddenDepth === 0) findInnermost().append(text)
    },
    onclosetag: (name) => {
      inStyle = false
      if (HIDDEN.has(name)) hiddenDepth -= 1
      else if (openElements.length > 1 && openElements.at(-1)!.name === name) openElements.pop()
    }
  })
  parser.end(html)
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(styles)
  return { node: top, sheets: [paper, sheet] }
}
