// Builds the HTML that Chromium prints. The body flows through pages without margins, its wrapper repeats the margins on every page, and a
// layer per page carries header, footer and page number, isolated from the body's styles (a shadow tree).
import { Effect } from "effect"
import { inSlices } from "../primitives/slices.ts"
import { replaceTags } from "../text/markup.ts"
import { formatPageNumber, type PageNumberStyle, type PageSetup, type Paper } from "./paper.ts"
import { titleOf } from "./pdfTitle.ts"

/** Marks that templates render for a `pdf` value (developer-api.md 7.4); replaced in headers, footers and, for the count, the body. */
export const placeholders = { page_number: "\ue000page_number\ue001", page_count: "\ue000page_count\ue001" } as const

export interface PdfDefinition extends PageSetup {
  readonly pdf_body: string
  readonly page_numbers_enabled: boolean
  readonly page_number_style: PageNumberStyle
  /** Number of the first page; empty: 1. */
  readonly page_number_start?: number | null
  readonly header_and_footer_enabled: boolean
  readonly pdf_header: string
  readonly pdf_header_following_pages: string
  readonly pdf_header_following_pages_enabled: boolean
  readonly pdf_footer: string
  readonly pdf_footer_following_pages: string
  readonly pdf_footer_following_pages_enabled: boolean
}

const PX_PER_MM = 96 / 25.4
/** Rounds to whole pixels: page breaks fall on them, so that layers stay aligned over hundreds of pages. */
export const px = (mm: number): number => Math.round(mm * PX_PER_MM)

/** True if the number of pages must be known before the document can be written. */
export const needsPageCount = (d: PdfDefinition): boolean =>
  d.page_numbers_enabled || d.header_and_footer_enabled || d.pdf_body.includes(placeholders.page_count)

const numbered = (html: string, d: PdfDefinition, page: number, count: number): string => {
  const write = (n: number) => formatPageNumber(n, d.page_number_style)
  return html
    .replaceAll(placeholders.page_number, write((d.page_number_start ?? 1) + page - 1))
    .replaceAll(placeholders.page_count, write(count))
}

const variant = (first: string, following: string, enabled: boolean, page: number) =>
  enabled && page > 1 ? following : first

const template = /<\/?template\b/gi
/** Removes template tags: a stray one in the user's HTML, or one that never ends, must not end the shadow tree. */
const contained = (html: string) => replaceTags(html, template, "").replace(template, "")

const layer = (d: PdfDefinition, paper: Paper, page: number, count: number): string => {
  const header = variant(d.pdf_header, d.pdf_header_following_pages, d.pdf_header_following_pages_enabled, page)
  const footer = variant(d.pdf_footer, d.pdf_footer_following_pages, d.pdf_footer_following_pages_enabled, page)
  const part = (name: string, html: string) => `<div class="${name}">${contained(numbered(html, d, page, count))}</div>`
  const parts = [
    d.header_and_footer_enabled ? part("header", header) + part("footer", footer) : "",
    d.page_numbers_enabled ? part("number", placeholders.page_number) : ""
  ].join("")
  const { margins } = paper
  // Puts the page number in the middle of the lower margin, or below the footer.
  const numberBottom = Math.max(2, d.header_and_footer_enabled ? paper.footerBottom - 6 : margins.bottom / 2 - 2)
  const host = {
    all: "initial",
    display: "block",
    position: "absolute",
    left: "0",
    top: `${(page - 1) * px(paper.height)}px`,
    width: `${px(paper.width)}px`,
    height: `${px(paper.height)}px`,
    overflow: "hidden",
    contain: "strict",
    "break-inside": "avoid",
    font: "12px sans-serif"
  }
  // Marks every rule as important, so that no style of the body moves a layer.
  const css = `:host{${Object.entries(host)
    .map(([name, value]) => `${name}:${value} !important`)
    .join(";")}}
.header,.footer,.number{position:absolute;left:${px(margins.left)}px;right:${px(margins.right)}px}
.header{top:${px(paper.headerTop)}px}.footer{bottom:${px(paper.footerBottom)}px}
.number{bottom:${px(numberBottom)}px;text-align:center}`
  return `<pdf-layer><template shadowrootmode="closed"><style>${css}</style>${parts}</template></pdf-layer>`
}

/**
 * Most characters of a document with all its layers, in millions. It is encoded and handed to the browser in one piece, which takes a
 * processor a hundred milliseconds (decisions P8).
 */
export const DOCUMENT_MILLIONS = 8

/** Least number of characters of the document, estimated before it is written. */
export const documentSize = (d: PdfDefinition, count: number): number => {
  const firstPageLength = d.pdf_header.length + d.pdf_footer.length
  const headers = d.pdf_header_following_pages_enabled ? d.pdf_header_following_pages : d.pdf_header
  const footers = d.pdf_footer_following_pages_enabled ? d.pdf_footer_following_pages : d.pdf_footer
  const layers =
    count === 0 || !d.header_and_footer_enabled ? 0 : firstPageLength + (count - 1) * (headers.length + footers.length)
  return d.pdf_body.length + layers
}

/** Builds the document; `count` is 0 while the number of pages is not known. Yields between pages, so that other work runs. */
export const documentOf = (d: PdfDefinition, paper: Paper, count: number, title: string): Effect.Effect<string> =>
  Effect.gen(function* () {
    const { top, right, bottom, left } = paper.margins
    const padding = [top, right, bottom, left].map((side) => `${px(side)}px`).join(" ")
    const pages = Array.from({ length: count }, (_, i) => i + 1)
    const layers = (yield* inSlices(pages, (page) => layer(d, paper, page, count))).join("")
    const body = d.pdf_body
      .replaceAll(placeholders.page_number, "")
      .replaceAll(placeholders.page_count, () => numbered(placeholders.page_count, d, 1, count))
    return `<!doctype html><html><head><meta charset="utf-8"><title>${titleOf(d.pdf_body, title)}</title>
<style>html,body{margin:0;padding:0}body{font:12px sans-serif;position:relative}</style></head><body>${layers}
<pdf-body style="display:block !important;box-decoration-break:clone !important;padding:${padding} !important">${body}</pdf-body>
<style>@page{size:${px(paper.width)}px ${px(paper.height)}px !important;margin:0 !important}html,body{display:block !important;margin:0 !important;padding:0 !important}</style></body></html>`
  })
