// Finds the tags of markup in one pass, whatever stands between them (decisions P8). `sanitize-html` decides which markup may stay in a
// page, and needs more than linear time: see clean.ts.
import { decodeHTML } from "entities"
import { Tokenizer } from "htmlparser2"

/** Replaces tags whose beginning `opens` (global) finds, up to their `>`, by `instead`; a tag that never ends stays text. */
export const replaceTags = (html: string, opens: RegExp, instead: string): string => {
  let out = ""
  let copiedEnd = 0
  opens.lastIndex = 0
  for (let tagMatch = opens.exec(html); tagMatch !== null; tagMatch = opens.exec(html)) {
    const end = html.indexOf(">", tagMatch.index)
    if (end < 0) break
    out += html.slice(copiedEnd, tagMatch.index) + instead
    copiedEnd = opens.lastIndex = end + 1
  }
  return out + html.slice(copiedEnd)
}

/** Elements whose content is no readable text. */
const UNREAD: ReadonlySet<string> = new Set(["script", "style", "textarea", "option", "noscript"])
const lineEnds = /^(?:br|p|div|tr|li|h[1-6])$/

const tidied = (text: string): string =>
  text
    .split("\n")
    .map((line) => line.replace(/\s+/g, " ").trim())
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim()

/** Readable text of a page: blocks and breaks end lines. */
export const readable = (html: string): string => {
  const parts: Array<string> = []
  let unread = ""
  let openTag = ""
  const nothing = () => undefined
  const tokens = new Tokenizer(
    { decodeEntities: true },
    {
      ontext: (start, end) => unread === "" && parts.push(html.slice(start, end)),
      ontextentity: (code) => unread === "" && parts.push(String.fromCodePoint(code)),
      onopentagname: (start, end) => {
        openTag = html.slice(start, end).toLowerCase()
      },
      onopentagend: () => {
        if (unread !== "") return
        if (openTag === "br") parts.push("\n")
        if (UNREAD.has(openTag)) unread = openTag
      },
      onselfclosingtag: () => unread === "" && openTag === "br" && parts.push("\n"),
      onclosetag: (start, end) => {
        const name = html.slice(start, end).toLowerCase()
        if (name === unread) unread = ""
        else if (unread === "" && lineEnds.test(name)) parts.push("\n")
      },
      onattribdata: nothing,
      onattribentity: nothing,
      onattribend: nothing,
      onattribname: nothing,
      oncdata: nothing,
      oncomment: nothing,
      ondeclaration: nothing,
      onend: nothing,
      onprocessinginstruction: nothing
    }
  )
  tokens.write(html)
  tokens.end()
  return tidied(parts.join(""))
}

/** Text between the tags of cleaned markup: a tag ends a word, entities are decoded, white space counts as one blank. */
export const betweenTags = (html: string): string =>
  decodeHTML(replaceTags(html, /</g, " "))
    .replaceAll(/\s+/g, " ")
    .trim()
