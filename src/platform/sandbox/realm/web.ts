// TextEncoder and TextDecoder of scripts (developer-api.md 8.2). UTF-8 is read in the realm; other charsets of the Encoding standard by the
// process, which has their tables.
import { TEXT_CHARS } from "../textCalls.ts"
import { latinOf, toBytes, utf8Of } from "./bytes.ts"
import { askHost } from "./host.ts"

const REPLACEMENT = 0xfffd

export class TextEncoder {
  get encoding() {
    return "utf-8"
  }
  encode(input: unknown = ""): Uint8Array {
    return utf8Of(`${input}`)
  }
}

/** Length of the sequence that `lead` opens and the lowest and highest second byte (Unicode, table 3-7); 0: not a lead. */
const sequence = (lead: number): readonly [length: number, low: number, high: number] => {
  if (lead >= 0xc2 && lead <= 0xdf) return [2, 0x80, 0xbf]
  if (lead >= 0xe0 && lead <= 0xef) return [3, lead === 0xe0 ? 0xa0 : 0x80, lead === 0xed ? 0x9f : 0xbf]
  if (lead >= 0xf0 && lead <= 0xf4) return [4, lead === 0xf0 ? 0x90 : 0x80, lead === 0xf4 ? 0x8f : 0xbf]
  return [0, 0, 0]
}

const readUtf8 = (bytes: Uint8Array, fatal: boolean, ignoreBOM: boolean): string | null => {
  const parts: Array<string> = []
  let units: Array<number> = []
  const addCode = (c: number) => {
    if (c > 0xffff) units.push(0xd800 + ((c - 0x10000) >> 10), 0xdc00 + ((c - 0x10000) & 0x3ff))
    else units.push(c)
    if (units.length >= 4096) {
      parts.push(String.fromCharCode(...units))
      units = []
    }
  }
  let i = !ignoreBOM && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
  while (i < bytes.length) {
    const leadByte = bytes[i++]!
    if (leadByte < 0x80) {
      addCode(leadByte)
      continue
    }
    const [length, low, high] = sequence(leadByte)
    let code = length === 2 ? leadByte & 31 : length === 3 ? leadByte & 15 : leadByte & 7
    let bytesRead = 1
    for (; bytesRead < length; bytesRead++) {
      const next = bytes[i]
      if (next === undefined || next < (bytesRead === 1 ? low : 0x80) || next > (bytesRead === 1 ? high : 0xbf)) break
      code = (code << 6) | (next & 63)
      i++
    }
    if (length === 0 || bytesRead < length) {
      if (fatal) return null
      addCode(REPLACEMENT)
    } else addCode(code)
  }
  parts.push(String.fromCharCode(...units))
  return parts.join("")
}

export class TextDecoder {
  readonly encoding: string
  readonly fatal: boolean
  readonly ignoreBOM: boolean
  constructor(label: unknown = "utf-8", options: { fatal?: boolean; ignoreBOM?: boolean } = {}) {
    const encodingName = askHost("charset", `${label}`.slice(0, 100))
    if (encodingName === null) throw new RangeError(`The encoding ${`${label}`.slice(0, 100)} is not known`)
    this.encoding = encodingName
    this.fatal = Boolean(options.fatal)
    this.ignoreBOM = Boolean(options.ignoreBOM)
  }
  decode(input?: unknown, options: { stream?: boolean } = {}): string {
    if (options.stream) throw new TypeError("TextDecoder reads bytes as a whole: stream is not available in scripts")
    const bytes = input === undefined ? new Uint8Array(0) : toBytes(input)
    if (bytes.length > TEXT_CHARS) throw new RangeError(`TextDecoder reads at most ${TEXT_CHARS} bytes`)
    const text =
      this.encoding === "utf-8"
        ? readUtf8(bytes, this.fatal, this.ignoreBOM)
        : askHost("decode", this.encoding, latinOf(bytes), this.fatal, this.ignoreBOM)
    if (text === null) throw new TypeError(`The bytes are not valid ${this.encoding}`)
    return text
  }
}
