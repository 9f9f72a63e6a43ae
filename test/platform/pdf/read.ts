// What a PDF reader sees: pages with their size, and their texts with the distance from the paper's edges, in millimetres.
import { Effect } from "effect"
import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs"

export interface TextAt {
  readonly text: string
  readonly left: number
  /** From the paper's upper edge to the base line. */
  readonly top: number
}
interface PageSeen {
  readonly width: number
  readonly height: number
  readonly texts: ReadonlyArray<TextAt>
  readonly text: string
}

const mm = (points: number) => (points / 72) * 25.4

export const readPdf = (bytes: Uint8Array) =>
  Effect.promise(async () => {
    const task = getDocument({ data: new Uint8Array(bytes), verbosity: 0 })
    const document = await task.promise
    const pages: Array<PageSeen> = []
    for (let n = 1; n <= document.numPages; n++) {
      const page = await document.getPage(n)
      const [, , width, height] = page.view as [number, number, number, number]
      const { items } = await page.getTextContent()
      const lines = new Map<number, TextAt>()
      for (const item of items) {
        if (!("str" in item) || item.str === "") continue
        const [x, y] = item.transform.slice(4) as [number, number]
        const previousLine = lines.get(Math.round(y))
        lines.set(
          Math.round(y),
          previousLine === undefined
            ? { text: item.str, left: mm(x), top: mm(height - y) }
            : { ...previousLine, text: previousLine.text + item.str }
        )
      }
      const texts = [...lines.values()]
      pages.push({ width: mm(width), height: mm(height), texts, text: texts.map((t) => t.text).join("\n") })
    }
    await task.destroy()
    return pages
  })
