// Turns images with `data:` addresses in a mail's HTML into parts of the mail, named by `cid:` (RFC 2392, RFC 2557): most mail readers show
// no others.
import { createHash } from "node:crypto"
import { decodeHTML } from "entities"
import type { SendMailOptions } from "nodemailer"

/** Most images that are turned into parts; further ones stay as they are. */
const IMAGES_AT_MOST = 100
/** Most characters of a tag before its image, and of a `data:` address before its comma. */
const TAG_CHARS = 1_024
const HEAD_CHARS = 200

const imageStart = /data:image\//gi
const inSource = /<img\s[^<>]*$/i
const source = /\ssrc\s{0,10}=\s{0,10}["']?\s{0,10}$/i
const imageType = /^data:(image\/[\w.+-]{1,40})[;,]/i

interface Image {
  readonly type: string
  readonly content: Buffer
}

const imageOf = (address: string): Image | undefined => {
  const comma = address.slice(0, HEAD_CHARS).indexOf(",")
  const type = imageType.exec(address.slice(0, HEAD_CHARS))?.[1]?.toLowerCase()
  if (comma < 0 || type === undefined) return undefined
  const data = address.slice(comma + 1)
  try {
    const content = /;\s*base64$/i.test(address.slice(0, comma))
      ? Buffer.from(data.includes("%") ? decodeURIComponent(data) : data, "base64")
      : Buffer.from(decodeURIComponent(decodeHTML(data)))
    return content.length === 0 ? undefined : { type, content }
  } catch {
    return undefined
  }
}

/** End of the attribute value that begins at `from`. */
const valueEnd = (html: string, from: number, quote: string | undefined): number => {
  if (quote === '"' || quote === "'") {
    const end = html.indexOf(quote, from)
    return end < 0 ? html.length : end
  }
  const valueEnd = /[\s>]/g
  valueEnd.lastIndex = from
  return valueEnd.exec(html)?.index ?? html.length
}

const endings: Readonly<Record<string, string>> = { "image/jpeg": "jpg", "image/svg+xml": "svg" }
const endingOf = (type: string) => endings[type] ?? type.slice("image/".length)

/** Options with such images as attachments; the same image is one part, however often it is shown. */
export const withInlineImages = (options: SendMailOptions): SendMailOptions => {
  const { html } = options
  if (typeof html !== "string") return options
  const imagesBySource = new Map<string, { readonly cid: string } & Image>()
  let rewrittenHtml = ""
  let from = 0
  imageStart.lastIndex = 0
  for (
    let match = imageStart.exec(html);
    match !== null && imagesBySource.size < IMAGES_AT_MOST;
    match = imageStart.exec(html)
  ) {
    const tag = html.slice(Math.max(from, match.index - TAG_CHARS), match.index)
    if (!inSource.test(tag) || !source.test(tag)) continue
    const end = valueEnd(html, match.index, tag.trimEnd().at(-1))
    const image = imageOf(html.slice(match.index, end).trim())
    imageStart.lastIndex = end
    if (image === undefined) continue
    const hash = createHash("sha256").update(image.type).update(image.content).digest("hex").slice(0, 32)
    imagesBySource.set(hash, { ...image, cid: `${hash}@millrace` })
    rewrittenHtml += `${html.slice(from, match.index)}cid:${hash}@millrace`
    from = end
  }
  if (imagesBySource.size === 0) return options
  const parts = [...imagesBySource.values()].map(({ cid, content, type }, index) => ({
    filename: `image-${index + 1}.${endingOf(type)}`,
    content,
    contentType: type,
    cid,
    contentDisposition: "inline" as const
  }))
  return { ...options, html: rewrittenHtml + html.slice(from), attachments: [...(options.attachments ?? []), ...parts] }
}
