// create_pdf with real Chromium, read back by a PDF library (service.md 2.7 create_pdf; developer-api.md 7.4, 7.7 rule 5).
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { defaultDefinition, make, Pdf, type PdfDefinition, placeholders } from "../../../src/platform/pdf/Pdf.ts"
import { formatPageNumber, pageNumberStyles } from "../../../src/platform/pdf/paper.ts"
import { readPdf } from "./read.ts"

const chromium = Option.fromUndefinedOr(process.env["CHROMIUM_PATH"])
const PdfTest = Layer.effect(Pdf, make(chromium))

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64"
)

const print = (rest: Partial<PdfDefinition>, asked: Array<string> = []) =>
  Effect.gen(function* () {
    const pdf = yield* Pdf
    const printed = yield* pdf.print({
      orgId: 1,
      definition: { ...defaultDefinition, ...rest },
      fetchImage: (url) =>
        Effect.sync(() => {
          asked.push(url)
          return { body: PNG, contentType: url.includes("html") ? "text/html" : "image/png" }
        })
    })
    const pages = yield* readPdf(printed.bytes)
    assert.strictEqual(pages.length, printed.pageCount)
    return pages
  })

const paragraphs = (n: number) => Array.from({ length: n }, (_, i) => `<p>para ${i}.</p>`).join("")

layer(PdfTest, { excludeTestServices: true })("create_pdf", (it) => {
  it.effect.each([
    ["a4", 210, 297],
    ["a3", 297, 420],
    ["a5", 148, 210],
    ["letter", 215.9, 279.4],
    ["tabloid", 279.4, 431.8],
    ["legal", 215.9, 355.6],
    ["envelope_10", 104.8, 241.3]
  ] as const)("page size %s, portrait and landscape", ([page_size, width, height]) =>
    Effect.gen(function* () {
      const [portrait] = yield* print({ page_size, pdf_body: "text" })
      assert.closeTo(portrait!.width, width, 0.4)
      assert.closeTo(portrait!.height, height, 0.4)
      const [landscape] = yield* print({ page_size, page_orientation: "landscape", pdf_body: "text" })
      assert.closeTo(landscape!.width, height, 0.4)
      assert.closeTo(landscape!.height, width, 0.4)
      assert.strictEqual(landscape!.text, "text")
    })
  )

  it.effect("the title is that of the HTML, else the one that is given", () =>
    Effect.gen(function* () {
      const pdf = yield* Pdf
      const titled = Effect.fnUntraced(function* (pdf_body: string, title?: string) {
        const definition = { ...defaultDefinition, pdf_body }
        const request = { orgId: 1, definition, fetchImage: () => Effect.die("none") }
        const { bytes } = yield* pdf.print(title === undefined ? request : { ...request, title })
        return /\/Title \(([^)]*)\)/.exec(Buffer.from(bytes).toString("latin1"))?.[1]
      })
      assert.strictEqual(yield* titled("<p>x</p>", "Invoice 7 <& co>"), "Invoice 7 <& co>")
      assert.strictEqual(yield* titled("<p>x</p>"), "Document")
      assert.strictEqual(yield* titled("<h1>a</h1><title>R&amp;D</title>", "Invoice 7"), "R&D")
      assert.strictEqual(yield* titled("<title> </title>x<title", "Invoice 7"), "Invoice 7")
    })
  )

  it.effect("scripts without a font are named, those with one are letters", () =>
    Effect.gen(function* () {
      const pdf = yield* Pdf
      const texts = { Chinese: "请", Thai: "\u0e01", Cyrillic: "Ж", Greek: "Ω" }
      const sampleText = Object.values(texts).join(" ").replace("\u0e01", "&#3585;")
      const definition = { ...defaultDefinition, pdf_body: `<p>plain ü</p><p>${sampleText}</p>` }
      const { bytes, missingScripts } = yield* pdf.print({ orgId: 1, definition, fetchImage: () => Effect.die("none") })
      const [page] = yield* readPdf(bytes)
      for (const [script, letter] of Object.entries(texts))
        assert.strictEqual(page!.text.includes(letter), !missingScripts.includes(script), script)
      assert.deepStrictEqual(
        missingScripts.filter((script) => !(script in texts)),
        []
      )
    })
  )

  it.effect("custom sizes are millimetres; what cannot be printed is an error", () =>
    Effect.gen(function* () {
      const custom = { page_size: "custom_size", page_margins: "narrow", pdf_body: "x" } as const
      const [page] = yield* print({ ...custom, page_custom_width: 80, page_custom_height: 120.5 })
      assert.closeTo(page!.width, 80, 0.4)
      assert.closeTo(page!.height, 120.5, 0.4)
      for (const wrong of [
        custom,
        { ...custom, page_custom_width: 80, page_custom_height: -1 },
        { ...custom, page_custom_width: Number.NaN, page_custom_height: 80 },
        { ...custom, page_custom_width: 20, page_custom_height: 80 },
        { ...defaultDefinition, page_margins: "custom_margins", page_custom_margin_left: 300 } as const
      ])
        assert.strictEqual((yield* Effect.flip(print(wrong)))._tag, "PdfInvalid")
    })
  )

  it.effect.each([
    ["normal", 25.4, 25.4],
    ["narrow", 12.7, 12.7],
    ["moderate", 25.4, 19.05],
    ["wide", 25.4, 50.8]
  ] as const)("margins %s hold on every page", ([page_margins, top, left]) =>
    Effect.gen(function* () {
      const pages = yield* print({
        page_margins,
        pdf_body: `<style>p{margin:0;line-height:20px}</style>${paragraphs(200)}`
      })
      assert.isAbove(pages.length, 2)
      for (const page of pages) {
        assert.closeTo(page.texts[0]!.left, left, 0.5)
        assert.isAbove(page.texts[0]!.top, top)
        assert.isBelow(page.texts[0]!.top, top + 6)
        assert.isBelow(page.texts.at(-1)!.top, page.height - top)
      }
      assert.isAbove(pages[0]!.texts.at(-1)!.top, 297 - top - 8)
    })
  )

  it.effect("custom margins differ on each side", () =>
    Effect.gen(function* () {
      const [page] = yield* print({
        page_margins: "custom_margins",
        page_custom_margin_top: 40,
        page_custom_margin_left: 5,
        page_custom_margin_right: 0,
        page_custom_margin_bottom: 100,
        pdf_body: `<style>p{margin:0}</style>${paragraphs(100)}`
      })
      assert.closeTo(page!.texts[0]!.left, 5, 0.5)
      assert.isAtLeast(page!.texts[0]!.top, 40)
      assert.isBelow(page!.texts.at(-1)!.top, 197)
    })
  )

  it.effect("header and footer stand on every page at their own distance, with variants for the following pages", () =>
    Effect.gen(function* () {
      const pages = yield* print({
        header_and_footer_enabled: true,
        pdf_header: "<b>Top one</b>",
        pdf_header_following_pages_enabled: true,
        pdf_header_following_pages: "Top next",
        pdf_footer: "Bottom all",
        pdf_footer_following_pages: "never shown",
        pdf_header_custom_margin_top: 5,
        pdf_footer_custom_margin_bottom: 8,
        pdf_body: `<style>*{position:static!important}div{font-size:50px;padding:0!important}pdf-layer{display:none!important;top:0!important}</style>${paragraphs(120)}`
      })
      assert.isAbove(pages.length, 3)
      pages.forEach((page, i) => {
        assert.include(page.text, i === 0 ? "Top one" : "Top next")
        assert.notInclude(page.text, i === 0 ? "Top next" : "Top one")
        assert.include(page.text, "Bottom all")
        assert.notInclude(page.text, "never shown")
        assert.closeTo(page.texts.find((t) => t.text.startsWith("Top"))!.top, 5 + 2.7, 1)
        assert.closeTo(page.height - page.texts.find((t) => t.text === "Bottom all")!.top, 8 + 0.8, 1)
      })
      const off = yield* print({ pdf_header: "Top one", pdf_footer: "Bottom all", pdf_body: "x" })
      assert.strictEqual(off[0]!.text, "x")
    })
  )

  it.effect.each(pageNumberStyles)("page numbers in style %s begin at the start number", (page_number_style) =>
    Effect.gen(function* () {
      const pages = yield* print({
        page_numbers_enabled: true,
        page_number_style,
        page_number_start: 3,
        pdf_body: "<div style='break-after:page'>a</div><div style='break-after:page'>b</div>c"
      })
      assert.deepStrictEqual(
        pages.map((p) => p.texts.find((t) => t.top > 280)?.text),
        [3, 4, 5].map((n) => formatPageNumber(n, page_number_style))
      )
      assert.closeTo(pages[0]!.texts.find((t) => t.top > 280)!.left, 105, 3)
    })
  )

  it.effect("page_number and page_count stand in header and footer (7.4)", () =>
    Effect.gen(function* () {
      const pages = yield* print({
        header_and_footer_enabled: true,
        pdf_header: `Page ${placeholders.page_number} of ${placeholders.page_count}`,
        pdf_body: `Count ${placeholders.page_count}${"<div style='break-before:page'>x</div>".repeat(11)}`
      })
      assert.strictEqual(pages.length, 12)
      for (const [i, page] of pages.entries()) assert.include(page.text, `Page ${i + 1} of 12`)
      assert.include(pages[0]!.text, "Count 12")
    })
  )

  it.effect("layers stay in step over many pages", () =>
    Effect.gen(function* () {
      const pages = yield* print({
        page_numbers_enabled: true,
        page_size: "a5",
        pdf_body: `${"<div style='break-after:page'>x</div>".repeat(149)}end`
      })
      assert.strictEqual(pages.length, 150)
      const numberTops = pages.map((p, i) => p.texts.find((t) => t.text === `${i + 1}`)?.top ?? 0)
      assert.isBelow(Math.max(...numberTops) - Math.min(...numberTops), 0.5)
    })
  )

  it.effect("more than 200 pages are refused", () =>
    Effect.map(Effect.flip(print({ pdf_body: "<div style='break-after:page'>x</div>".repeat(201) })), (e) =>
      assert.deepInclude(e, { _tag: "PdfLimit", which: "pages" })
    )
  )

  describe("hostile HTML reaches nothing (7.7 rule 5)", () => {
    it.effect("scripts do not run, and only images are asked for", () =>
      Effect.gen(function* () {
        let connections = 0
        const server = createServer((_request, response) => response.end("x")).on("connection", () => connections++)
        yield* Effect.promise(() => new Promise<void>((done) => server.listen(0, "127.0.0.1", done)))
        const local = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
        const requestedUrls: Array<string> = []
        const body = `
          <script>document.body.innerHTML = "SCRIPT RAN"</script><img src=x onerror="document.body.innerHTML='SCRIPT RAN'">
          <svg onload="document.title='SCRIPT RAN'"><script>document.body.innerHTML='SCRIPT RAN'</script></svg>
          <iframe src="${local}/frame"></iframe><iframe src="file:///etc/passwd"></iframe><iframe srcdoc="<script>parent.document.body.innerHTML='SCRIPT RAN'</script><img src='${local}/framed.png'>"></iframe>
          <object data="${local}/object"></object><embed src="file:///etc/passwd"><meta http-equiv="refresh" content="0;url=${local}/refresh">
          <meta http-equiv="refresh" content="0;url=file:///etc/passwd"><base href="${local}/base/">
          <link rel="stylesheet" href="${local}/style.css"><link rel="preconnect" href="${local}"><link rel="dns-prefetch" href="${local}">
          <link rel="prefetch" href="${local}/prefetch"><link rel="preload" as="image" href="file:///etc/passwd">
          <style>@import url("${local}/import.css"); @font-face { font-family: f; src: url("${local}/font.woff") } p { font-family: f; background: url("file:///etc/passwd") } div { background: url("${local}/background.png") }</style>
          <p>kept</p><div>background</div><img src="file:///etc/passwd"><img src="https://images.example/a.png" width=10>
          <img src="https://images.example/html"><video src="${local}/video" poster="${local}/poster.png"></video><audio src="${local}/audio" autoplay></audio>
          <form action="${local}/form"><button autofocus>go</button></form><a ping="${local}/ping" href="${local}/link">link</a>
          <img srcset="${local}/srcset.png 1x"><picture><source srcset="${local}/source.png"><img></picture><input type=image src="${local}/input.png">
          <template shadowrootmode=open><script>1</script></template></div></div></body></html><p>after`
        const [page] = yield* print(
          { pdf_body: body, header_and_footer_enabled: true, pdf_header: `</template></div>${body}` },
          requestedUrls
        )
        assert.notInclude(page!.text, "SCRIPT RAN")
        assert.notInclude(page!.text, "root:")
        assert.include(page!.text, "kept")
        assert.include(page!.text, "after")
        assert.strictEqual(connections, 0)
        assert.include(requestedUrls, "https://images.example/a.png")
        assert.deepStrictEqual(
          requestedUrls.filter((url) => !/^https:\/\/images\.example\/|\.png$|document\.invalid\/x$|\/x$/.test(url)),
          []
        )
        server.close()
      })
    )
    it.effect("a document that leads away stays, one that speaks of pages has those that it has", () =>
      Effect.forEach(
        [
          '<meta http-equiv="refresh" content="0">',
          '<meta http-equiv="refresh" content="0;url=https://document.invalid/">',
          '<meta http-equiv="refresh" content="0;url=about:blank">',
          '<meta http-equiv="refresh" content="0;url=data:text/html,other">',
          '<meta http-equiv="refresh" content="0;url=javascript:document.write(1)">',
          "<title><</Type /Pages\n/Count 9999\n/Kids</title>",
          '<img src="https://images.example/x.png" alt="<</Type /Pages&#10;/Count 9999&#10;" width="9">',
          '<a href="https://example.com/?<</Type /Pages&#10;/Count 9999&#10;"></a>'
        ],
        (body) =>
          Effect.map(print({ pdf_body: `${body}<p>kept</p>`, page_numbers_enabled: true }), (pages) =>
            assert.deepStrictEqual(
              pages.map(({ text }) => text),
              ["kept\n1"],
              body
            )
          )
      )
    )
    it.effect("a definition after a hostile one is printed as ever", () =>
      Effect.gen(function* () {
        const css = "<style>@page { margin: 100mm; size: a3 } html, body { display: none !important }</style>"
        yield* print({ pdf_body: css })
        const [page] = yield* print({ pdf_body: "fine" })
        assert.strictEqual(page!.text, "fine")
        assert.closeTo(page!.width, 210, 0.4)
      })
    )
    it.effect("an image that hangs or is none leaves the document as it is", () =>
      Effect.gen(function* () {
        const pdf = yield* Pdf
        const printed = yield* pdf.print({
          orgId: 1,
          definition: { ...defaultDefinition, pdf_body: '<img src="https://images.example/x.png">text' },
          fetchImage: () => Effect.delay(Effect.fail("refused"), "20 millis")
        })
        assert.strictEqual((yield* readPdf(printed.bytes))[0]!.text, "text")
      })
    )
  })

  it.effect("several at once", () =>
    Effect.gen(function* () {
      const documents = yield* Effect.all(
        Array.from({ length: 5 }, (_, i) => print({ pdf_body: `doc ${i}` })),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(
        documents.map(([page]) => page!.text),
        ["doc 0", "doc 1", "doc 2", "doc 3", "doc 4"]
      )
    })
  )
})

layer(Layer.effect(Pdf, make(chromium, "10 seconds")), { excludeTestServices: true })("a document that hangs", (it) => {
  it.effect("printing beyond its time fails, its browser goes, and the next document gets another (7.7 rule 5)", () =>
    Effect.gen(function* () {
      const pdf = yield* Pdf
      const hanging = yield* Effect.flip(
        pdf.print({
          orgId: 1,
          definition: { ...defaultDefinition, pdf_body: `<img src="https://images.example.com/never.png">` },
          fetchImage: () => Effect.never
        })
      )
      assert.deepInclude(hanging, { _tag: "PdfLimit", which: "time" })
      assert.match(hanging.message, /longer than 10 seconds/)
      const [page] = yield* print({ pdf_body: "next" })
      assert.strictEqual(page!.text, "next")
    })
  )
})

describe("page number styles (service.md create_pdf)", () => {
  it("follow the field's counter styles", () => {
    const formatAll = (style: Parameters<typeof formatPageNumber>[1], ...ns: Array<number>) =>
      ns.map((n) => formatPageNumber(n, style))
    assert.deepStrictEqual(formatAll("decimal_leading_zero", 1, 9, 10, 0), ["01", "09", "10", "00"])
    assert.deepStrictEqual(formatAll("lower_latin", 1, 26, 27, 52, 53, 702, 703, 0), [
      "a",
      "z",
      "aa",
      "az",
      "ba",
      "zz",
      "aaa",
      "0"
    ])
    assert.deepStrictEqual(formatAll("upper_roman", 1, 4, 9, 1994, 4000), ["I", "IV", "IX", "MCMXCIV", "4000"])
    assert.deepStrictEqual(formatAll("lower_roman", 14, -1), ["xiv", "-1"])
  })
})
