// Title of a document, which viewers show in their window: that of the HTML, else the given one.

const escapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" }
const LONGEST = 500

/** Content of the first title element of some HTML, as markup; it holds no tag. */
const ownTitle = (html: string): string => {
  const begin = /<title(?=[\s>/])/i.exec(html)
  if (begin === null) return ""
  const from = html.indexOf(">", begin.index) + 1
  const to = html.indexOf("<", from)
  return from === 0 || to < 0 ? "" : html.slice(from, to).slice(0, LONGEST).trim()
}

/** Title as markup for the head. */
export const titleOf = (html: string, given: string): string => {
  const documentTitle = ownTitle(html)
  return documentTitle === "" ? given.slice(0, LONGEST).replaceAll(/[&<>]/g, (sign) => escapes[sign]!) : documentTitle
}
