// The text of HTML that a field or a comment holds, with its paragraphs as lines: nothing of it becomes part of our page.

const BLOCKS = "p, div, li, br, h1, h2, h3, h4, tr"

const parseBody = (html: string) => new DOMParser().parseFromString(html, "text/html").body

export const plainText = (html: string): string => {
  const body = parseBody(html)
  for (const block of body.querySelectorAll(BLOCKS)) block.append("\n")
  return (body.textContent ?? "").replaceAll("\n\n\n", "\n\n").trim()
}

/** Paragraphs and nothing else. */
export const isPlain = (html: string): boolean =>
  [...parseBody(html).querySelectorAll("*")].every(({ tagName }) => tagName === "P" || tagName === "BR")
