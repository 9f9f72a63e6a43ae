// Decodes text from outside (RFC 9110 8.3.2, RFC 8259 8.1, RFC 7303 3). The charset is that of a byte order mark, else of the
// `Content-Type`, else the document's own declaration; else UTF-8 or, if the bytes are not valid, windows-1252. Invalid bytes are replaced:
// no text is refused for a wrong letter here.
import { headerParameters } from "../primitives/headerParameters.ts"
import { isTextType, isXmlType, mediaTypeOf } from "../primitives/mediaType.ts"

interface DecodedText {
  readonly text: string
  /** Charset by its name in the Encoding standard. */
  readonly charset: string
  /** Charset that was named and is not known. */
  readonly unknown?: string
}

/** Bytes at the beginning of a document that are searched for its own declaration. */
const HEAD_BYTES = 1_024

const utf8 = new TextDecoder("utf-8")

const marks: ReadonlyArray<readonly [string, ReadonlyArray<number>]> = [
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-16be", [0xfe, 0xff]],
  ["utf-16le", [0xff, 0xfe]]
]
const marked = (bytes: Uint8Array): string | undefined =>
  marks.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte))?.[0]

const decoderOf = (label: string): typeof utf8 | undefined => {
  try {
    return new TextDecoder(label)
  } catch {
    return undefined
  }
}

const xmlDeclaration = (head: string) =>
  /^\s{0,20}<\?xml\s[^>]{0,200}?encoding\s{0,5}=\s{0,5}["']([\w.:-]{1,40})["']/.exec(head)?.[1]

/** Charset of the first meta element that has one. */
const htmlDeclaration = (head: string) => {
  for (const tag of head.split("<")) {
    if (!/^meta\s/i.test(tag)) continue
    const charset = /charset\s{0,5}=\s{0,5}["']?([\w.:-]{1,40})/i.exec(tag.split(">", 1)[0]!)?.[1]
    if (charset !== undefined) return charset
  }
  return undefined
}

/** Charset that the document declares itself. It was read as ASCII to be found, so a declared UTF-16 is wrong and UTF-8 is assumed. */
const declared = (bytes: Uint8Array, mediaType: string): string | undefined => {
  const head = () => Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, HEAD_BYTES)).toString("latin1")
  const declaration =
    mediaType === "text/html" ? htmlDeclaration : mediaType === "" || isXmlType(mediaType) ? xmlDeclaration : undefined
  const label = declaration?.(head())
  return label !== undefined && /^utf-?16/i.test(label) ? "utf-8" : label
}

const strictUtf8 = new TextDecoder("utf-8", { fatal: true })
const western = new TextDecoder("windows-1252")

const asUtf8 = (bytes: Uint8Array): string | undefined => {
  try {
    return strictUtf8.decode(bytes)
  } catch {
    return undefined
  }
}

/** True if the bytes are UTF-8 as people write it: valid and without a zero byte. */
export const isWrittenText = (bytes: Uint8Array): boolean => !bytes.includes(0) && asUtf8(bytes) !== undefined

/** Decodes the bytes. @param contentType the header as it came */
export const decodeText = (bytes: Uint8Array, contentType: string | undefined): DecodedText => {
  const mark = marked(bytes)
  if (mark !== undefined) return { text: decoderOf(mark)!.decode(bytes), charset: mark }
  const mediaType = mediaTypeOf(contentType)
  const named = headerParameters(contentType).get("charset")?.replaceAll("'", "").trim() || undefined
  const decoder = named === undefined ? undefined : decoderOf(named)
  if (decoder !== undefined) return { text: decoder.decode(bytes), charset: decoder.encoding }
  const unknown = named === undefined ? {} : { unknown: named.slice(0, 40) }
  const declaredCharset = declared(bytes, mediaType)
  const ownDecoder = declaredCharset === undefined ? undefined : decoderOf(declaredCharset)
  if (ownDecoder !== undefined) return { text: ownDecoder.decode(bytes), charset: ownDecoder.encoding, ...unknown }
  const text = asUtf8(bytes)
  if (text !== undefined) return { text, charset: "utf-8", ...unknown }
  return isTextType(mediaType)
    ? { text: western.decode(bytes), charset: "windows-1252", ...unknown }
    : { text: utf8.decode(bytes), charset: "utf-8", ...unknown }
}
