// The linear helpers for text from outside (decisions P8): right, and no slower for hostile texts than for others.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import fc from "fast-check"
import { htmlFirstLine } from "../../../src/domain/records/fields/kinds/htmlText.ts"
import { mailboxes } from "../../../src/platform/mail/addresses.ts"
import { defaultDefinition } from "../../../src/platform/pdf/Pdf.ts"
import { paperOf } from "../../../src/platform/pdf/paper.ts"
import { documentOf } from "../../../src/platform/pdf/pdfDocument.ts"
import { cleaning, sanitizeHtml } from "../../../src/platform/text/clean.ts"
import { betweenTags, readable, replaceTags } from "../../../src/platform/text/markup.ts"
import { sanitized, sanitizedHtml } from "../../../src/platform/text/sanitize.ts"
import { machineOf, replaceWords } from "../../../src/platform/text/words.ts"
import { cpuMillis, leastTurnOf } from "../../support/turns.ts"

const fill = (text: string, length: number) => text.repeat(Math.ceil(length / text.length)).slice(0, length)

describe("markup", () => {
  it("tags go as one piece, what never ends stays text", () => {
    assert.strictEqual(replaceTags("a <b>c</b> < d", /</g, " "), "a  c  < d")
    assert.strictEqual(betweenTags("<p>one&amp;two</p><p>three</p>"), "one&two three")
    assert.strictEqual(htmlFirstLine("<p></p><p>one <b>tw</b>o</p>three"), "one two")
  })

  it("the readable text of a page: blocks end lines, what nobody reads is left out", () => {
    const page =
      "<style>p{}</style><h1>Hi &amp; hello</h1><p>one<br>two</p><script>x<br></script><DIV>three &copy;</DIV>"
    assert.strictEqual(readable(page), "Hi & hello\none\ntwo\nthree ©")
    assert.strictEqual(readable('<a title="a > b">x</a> 1 < 2 <!-- no --> &lt;b&gt;'), "x 1 < 2 <b>")
  })

  it("attack: no text takes more than a fraction of a second", () => {
    for (const piece of [
      "<",
      "<b",
      "<b ",
      "</p",
      "<!--",
      "<br>",
      '<a b="',
      "&",
      "&#",
      "<script>",
      "</",
      "\n ",
      "<![CDATA["
    ]) {
      const text = fill(piece, 300_000)
      for (const work of [readable, betweenTags, htmlFirstLine])
        assert.isBelow(
          cpuMillis(() => work(text)),
          400,
          piece
        )
    }
  })

  it("what is given back unparsed is what the parser would have left (A11)", () => {
    const pieces = [
      "<p>",
      "</p>",
      "<b>",
      "</b>",
      "<strong>",
      "</strong>",
      "<u>",
      "</u>",
      "<br>",
      "<p",
      ">",
      "&amp;",
      "&",
      '"'
    ]
    const piece = fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 5 }), fc.constant("\u0000 \r\n\u2028"))
    const inline = (text: string) =>
      fc.constantFrom("", "b", "strong", "i", "em", "u").map((tag) => tag && `<${tag}>${text}</${tag}>`)
    const words = fc.string({ unit: "grapheme", maxLength: 8 })
    const paragraph = fc.tuple(words, words.chain(inline), words).map((parts) => `<p>${parts.join("")}</p>`)
    const any = fc.array(fc.oneof(piece, paragraph), { maxLength: 6 }).map((parts) => parts.join(""))
    fc.assert(
      fc.property(any, (html) => assert.strictEqual(sanitized(html), sanitizedHtml(html))),
      { numRuns: 5_000 }
    )
  })

  it.live("long markup is cleaned outside of the main thread, to the same text; short markup here", () =>
    Effect.gen(function* () {
      const long = `<p>Hello</p>${fill("<b>x", 149_000)}`
      const clean = Effect.sync(() => [sanitizeHtml(long), sanitizeHtml("<i onclick='x'>y</i>")])
      const [both, longest] = yield* leastTurnOf(
        Effect.all([cleaning([long, 5, null])(clean), cleaning([long])(clean)], { concurrency: 2 })
      )
      assert.isBelow(longest, cpuMillis(() => sanitized(long)) / 2)
      for (const [apart, here] of both) {
        assert.strictEqual(apart, sanitized(long))
        assert.strictEqual(here, "<i>y</i>")
      }
      // Who goes away while the thread is at work leaves it usable.
      const leaverFiber = yield* Effect.forkChild(cleaning([fill("<li><ul>", 149_000)])(Effect.void))
      yield* Effect.sleep("5 millis")
      yield* Fiber.interrupt(leaverFiber)
      const [again] = yield* cleaning([`${long} `])(Effect.sync(() => [sanitizeHtml(`${long} `)]))
      assert.strictEqual(again, sanitized(`${long} `))
    })
  )
})

describe("a PDF's layers (7.6)", () => {
  const layers = (header: string) =>
    Effect.runSync(
      documentOf(
        { ...defaultDefinition, header_and_footer_enabled: true, pdf_header: header },
        paperOf(defaultDefinition),
        1,
        "Document"
      )
    )

  it("no template of a header ends or opens one, whether it is whole or never ends", () => {
    for (const header of ["a</template>b", "a<TEMPLATE x='y'>b", "ab</template ", "ab<template"]) {
      const layeredHtml = layers(header)
      assert.lengthOf(layeredHtml.match(/<\/?template\b/gi) ?? [], 2, header)
      assert.include(layeredHtml, "ab", header)
    }
    assert.isBelow(
      cpuMillis(() => layers(fill("<template ", 500_000))),
      400
    )
  })
})

describe("words in a text", () => {
  it("finds what a search for each of them finds", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 60 })
    const words = fc.array(fc.string({ unit: fc.constantFrom("a", "b"), minLength: 1, maxLength: 6 }), { maxLength: 6 })
    fc.assert(
      fc.property(text, words, (text, words) => {
        const covered = Array.from(text, () => false)
        for (const word of words)
          for (let wordStart = text.indexOf(word); wordStart >= 0; wordStart = text.indexOf(word, wordStart + 1))
            covered.fill(true, wordStart, wordStart + word.length)
        const kept = replaceWords(machineOf(words), text, "-", false).replaceAll("-", "")
        assert.strictEqual(
          kept,
          Array.from(text)
            .filter((_, at) => !covered[at])
            .join("")
        )
      })
    )
  })

  it("those that overlap are one, a long one goes to its end, and the beginning of one where the text was cut goes too", () => {
    const replaced = (words: ReadonlyArray<string>, text: string, cut = false) =>
      replaceWords(machineOf(words), text, "-", cut)
    assert.strictEqual(replaced(["abcd", "cdef"], "xabcdefx"), "x-x")
    const long = Array.from({ length: 90 }, (_, i) => String.fromCodePoint(0x100 + i)).join("")
    assert.strictEqual(replaced([long], `a ${long} b`), "a - b")
    assert.strictEqual(replaced(["secret"], "x sec", true), "x -")
    assert.strictEqual(replaced(["secret"], "x sec"), "x sec")
  })

  it("attack: thousands of words that repeat themselves, in a text that does", () => {
    const machine = machineOf(Array.from({ length: 2_000 }, (_, i) => `b${"a".repeat(i)}`))
    assert.isBelow(
      cpuMillis(() => replaceWords(machine, "a".repeat(20_000), "-", true)),
      200
    )
  })
})

describe("recipients", () => {
  it("attack: quotes and brackets that never end, and lists without end", () => {
    const hostile = ["<", '"', '"\\', '"\\"', "(", "a@", "a <b", ":", "g:", "a@b.c,", '"a" <a@b.c> ', " ", ";", "é<"]
    for (const piece of hostile)
      assert.isBelow(
        cpuMillis(() => mailboxes(fill(piece, 300_000))),
        400,
        piece
      )
  })

  it("whole mailboxes only: a list is cut at a comma, a mailbox longer than a line is none", () => {
    const list = `first@example.com, ${"x".repeat(99_970)}, second@example.community`
    assert.deepStrictEqual(
      mailboxes(list).map(({ address }) => address),
      ["first@example.com"]
    )
    assert.deepStrictEqual(mailboxes('"Doe, Jane" <jane@example.com>; "open <bob@example.com>, eve@example.com'), [
      { name: "Doe, Jane", address: "jane@example.com" },
      { name: "open", address: "bob@example.com" },
      { name: "", address: "eve@example.com" }
    ])
  })
})
