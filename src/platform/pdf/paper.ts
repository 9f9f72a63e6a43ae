// Paper, margins and page numbers of create_pdf (service.md 2.7 create_pdf, developer-api.md 7.7 rule 5). Millimetres.
import { Schema } from "effect"

/** Error of a definition whose page cannot be printed; `message` names the key. */
export class PdfInvalid extends Schema.TaggedError<PdfInvalid>()("PdfInvalid", { message: Schema.String }) {}

type Size = readonly [width: number, height: number]
const pageSizes = {
  letter: [215.9, 279.4],
  tabloid: [279.4, 431.8],
  legal: [215.9, 355.6],
  a3: [297, 420],
  a4: [210, 297],
  a5: [148, 210],
  envelope_10: [104.775, 241.3]
} as const satisfies Record<string, Size>

interface Sides {
  readonly top: number
  readonly right: number
  readonly bottom: number
  readonly left: number
}
const sides = (top: number, right: number, bottom = top, left = right): Sides => ({ top, right, bottom, left })

const pageMargins = {
  normal: sides(25.4, 25.4),
  narrow: sides(12.7, 12.7),
  moderate: sides(25.4, 19.05),
  wide: sides(25.4, 50.8)
} as const satisfies Record<string, Sides>

/** Distance of header and footer from the paper's edge unless set. */
const EDGE = 12.7
const SMALLEST_PAGE = 10
const LARGEST_PAGE = 2000
const SMALLEST_AREA = 5

export interface PageSetup {
  readonly page_size: keyof typeof pageSizes | "custom_size"
  /** Used with `custom_size` only. */
  readonly page_custom_width?: number | null
  readonly page_custom_height?: number | null
  readonly page_orientation: "portrait" | "landscape"
  readonly page_margins: keyof typeof pageMargins | "custom_margins"
  /** Used with `custom_margins` only; empty: that of `normal`. */
  readonly page_custom_margin_top?: number | null
  readonly page_custom_margin_right?: number | null
  readonly page_custom_margin_bottom?: number | null
  readonly page_custom_margin_left?: number | null
  readonly pdf_header_custom_margin_top?: number | null
  readonly pdf_footer_custom_margin_bottom?: number | null
}

export interface Paper {
  readonly width: number
  readonly height: number
  readonly margins: Sides
  readonly headerTop: number
  readonly footerBottom: number
}

const checkRange = (name: string, value: number | null | undefined, low: number, high: number): number => {
  if (typeof value !== "number" || !(value >= low && value <= high))
    throw new PdfInvalid({ message: `${name}: must be a number of millimetres between ${low} and ${high}.` })
  return value
}

/** Paper in its orientation; throws `PdfInvalid`. */
export const paperOf = (setup: PageSetup): Paper => {
  const size: Size =
    setup.page_size === "custom_size"
      ? [
          checkRange("page_custom_width", setup.page_custom_width, SMALLEST_PAGE, LARGEST_PAGE),
          checkRange("page_custom_height", setup.page_custom_height, SMALLEST_PAGE, LARGEST_PAGE)
        ]
      : pageSizes[setup.page_size]
  const [width, height] = setup.page_orientation === "landscape" ? [size[1], size[0]] : size
  const custom = (side: keyof Sides) => {
    const name = `page_custom_margin_${side}` as const
    return checkRange(name, setup[name] ?? pageMargins.normal[side], 0, LARGEST_PAGE)
  }
  const margins =
    setup.page_margins === "custom_margins"
      ? { top: custom("top"), right: custom("right"), bottom: custom("bottom"), left: custom("left") }
      : pageMargins[setup.page_margins]
  if (width - margins.left - margins.right < SMALLEST_AREA || height - margins.top - margins.bottom < SMALLEST_AREA)
    throw new PdfInvalid({ message: "page_margins: they leave no room on the page." })
  return {
    width,
    height,
    margins,
    headerTop: checkRange("pdf_header_custom_margin_top", setup.pdf_header_custom_margin_top ?? EDGE, 0, height),
    footerBottom: checkRange(
      "pdf_footer_custom_margin_bottom",
      setup.pdf_footer_custom_margin_bottom ?? EDGE,
      0,
      height
    )
  }
}

const latin = (n: number): string =>
  (n > 26 ? latin(Math.floor((n - 1) / 26)) : "") + String.fromCharCode(97 + ((n - 1) % 26))

const ROMAN = [
  [1000, "m"],
  [900, "cm"],
  [500, "d"],
  [400, "cd"],
  [100, "c"],
  [90, "xc"],
  [50, "l"],
  [40, "xl"],
  [10, "x"],
  [9, "ix"],
  [5, "v"],
  [4, "iv"],
  [1, "i"]
] as const

const roman = (n: number): string => {
  let remainder = n
  let text = ""
  for (const [value, digits] of ROMAN)
    while (remainder >= value) {
      text += digits
      remainder -= value
    }
  return text
}

const styles = {
  decimal: (n: number) => `${n}`,
  decimal_leading_zero: (n: number) => (n >= 0 && n < 10 ? `0${n}` : `${n}`),
  lower_latin: (n: number) => (n < 1 ? `${n}` : latin(n)),
  upper_latin: (n: number) => (n < 1 ? `${n}` : latin(n).toUpperCase()),
  lower_roman: (n: number) => (n < 1 || n > 3999 ? `${n}` : roman(n)),
  upper_roman: (n: number) => (n < 1 || n > 3999 ? `${n}` : roman(n).toUpperCase())
} as const
export type PageNumberStyle = keyof typeof styles
export const pageNumberStyles = Object.keys(styles) as ReadonlyArray<PageNumberStyle>

/** Page number in a style; one out of the style's range is written in decimal, as in CSS counter styles. */
export const formatPageNumber = (n: number, style: PageNumberStyle): string => styles[style](n)
