// Images of a mail's HTML (RFC 2557): what stands in it as a `data:` address is a part of the mail.
import { assert, it } from "@effect/vitest"
import { withInlineImages } from "../../../src/platform/mail/inlineImages.ts"

const PNG = "iVBORw0KGgo="
const image = `data:image/png;base64,${PNG}`
const inlinePartsOf = (html: string) => {
  const { attachments = [], html: shown } = withInlineImages({ html })
  return { html: String(shown), parts: attachments as ReadonlyArray<Record<string, any>> }
}

it("each is a part that the HTML names, the same one once", () => {
  const { html, parts } = inlinePartsOf(
    `<p>a<img src="${image}" alt="x"> <IMG width=3 SRC='${image}'><img src=${image}></p>`
  )
  assert.strictEqual(parts.length, 1)
  const [{ cid, content, contentDisposition, contentType, filename }] = parts as [Record<string, any>]
  assert.deepStrictEqual([contentType, filename, contentDisposition], ["image/png", "image-1.png", "inline"])
  assert.deepStrictEqual(content, Buffer.from(PNG, "base64"))
  assert.strictEqual(html, `<p>a<img src="cid:${cid}" alt="x"> <IMG width=3 SRC='cid:${cid}'><img src=cid:${cid}></p>`)
})

it("those in percent signs, and what stands beside them", () => {
  const svg = "data:image/svg+xml,%3Csvg xmlns=&quot;http://www.w3.org/2000/svg&quot;/%3E"
  const { parts } = inlinePartsOf(`<img src="${svg}"><img src="${image}">`)
  assert.deepStrictEqual(
    parts.map(({ filename }) => filename),
    ["image-1.svg", "image-2.png"]
  )
  assert.strictEqual(String(parts[0]!["content"]), '<svg xmlns="http://www.w3.org/2000/svg"/>')
})

it("anything else stays as it is", () => {
  for (const html of [
    "<p>no image</p>",
    `<p>${image}</p>`,
    `<a href="${image}">a</a>`,
    `<img alt="${image}">`,
    `<div style="background:url(${image})">`,
    '<img src="data:text/html;base64,aGk=">',
    '<img src="data:image/png;base64,">',
    '<img src="data:image/png">',
    '<img src="https://example.com/a.png">'
  ]) {
    const { html: shown, parts } = inlinePartsOf(html)
    assert.deepStrictEqual([shown, parts.length], [html, 0], html)
  }
})

it("text that nearly holds images everywhere takes no longer than any other", () => {
  const from = process.cpuUsage()
  for (const part of ['<img src="data:image/', "data:image/png;base64,", "<img src=", '<img src="data:image/a,'])
    inlinePartsOf(part.repeat(50_000))
  assert.isBelow(process.cpuUsage(from).user / 1_000, 3_000)
})
