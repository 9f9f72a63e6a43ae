// Previews a document, a mail or a page while it is typed; chips stand for values that the run fills in. Nothing in the preview runs or
// loads: it is drawn in a shadow root from a parser's output.
import { useEffect, useRef } from "react"
import { preview as texts } from "../../../texts/automations/editor.ts"
import { useEditor } from "./context.ts"
import { type Part, partsOf, textOf } from "./model/chips.ts"
import { wordsOf } from "./model/references.ts"
import type { Step } from "./model/steps.ts"
import { previewOf } from "./previewDocument.ts"

const PAGE = {
  letter: [216, 279],
  tabloid: [279, 432],
  legal: [216, 356],
  a3: [297, 420],
  a5: [148, 210],
  envelope_10: [105, 241]
} as const
const A4 = [210, 297] as const

interface SheetProps {
  readonly label: string
  readonly parts: ReadonlyArray<Part>
  /** Width to height, of one page. */
  readonly ratio?: number
}
const Sheet = ({ label, parts, ratio }: SheetProps) => {
  const { apps } = useEditor()
  const host = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const root = host.current!.shadowRoot ?? host.current!.attachShadow({ mode: "open" })
    const { node, sheets } = previewOf(parts, (reference) => wordsOf(reference, apps))
    root.adoptedStyleSheets = sheets
    root.replaceChildren(node)
  }, [apps, parts])
  return (
    <div
      ref={host}
      className="sheet"
      role="img"
      aria-label={label}
      style={ratio === undefined ? {} : { aspectRatio: String(ratio) }}
    />
  )
}

const html = (value: unknown): ReadonlyArray<Part> => partsOf(textOf(value))

const Plain = ({ value }: { readonly value: unknown }) => {
  const { apps } = useEditor()
  return html(value).map((part, at) =>
    typeof part === "string" ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no names
      <span className="chip" key={at}>
        {wordsOf(part, apps)}
      </span>
    )
  )
}

export const Preview = ({ step: { config, type } }: { readonly step: Step }) => {
  if (type === "create_pdf") {
    const [wide, high] = PAGE[config["page_size"] as keyof typeof PAGE] ?? A4
    const ratio = config["page_orientation"] === "landscape" ? high / wide : wide / high
    const withEnds = config["header_and_footer_enabled"] === true
    const parts = [
      ...(withEnds ? html(config["pdf_header"]) : []),
      ...html(config["pdf_body"]),
      ...(withEnds ? html(config["pdf_footer"]) : [])
    ]
    return (
      <section className="preview" aria-label={texts.preview}>
        <h3>{texts.previewOfTheDocument}</h3>
        <Sheet label={texts.theDocument} parts={parts} ratio={ratio} />
      </section>
    )
  }
  if (/send_email$/.test(type))
    return (
      <section className="preview" aria-label={texts.preview}>
        <h3>{texts.previewOfTheMail}</h3>
        <p className="mail-line">
          <span className="muted">{texts.to}</span> <Plain value={config["to_address"]} />
        </p>
        <p className="mail-line">
          <span className="muted">{texts.subject}</span>{" "}
          <strong>
            <Plain value={config["subject"]} />
          </strong>
        </p>
        <Sheet label={texts.theMessage} parts={html(config["message_body"])} />
      </section>
    )
  if (type === "display_webpage")
    return (
      <section className="preview" aria-label={texts.preview}>
        <h3>{texts.previewOfThePage}</h3>
        <Sheet label={texts.thePage} parts={html(config["webpage_body"])} />
      </section>
    )
  return null
}
