// Bytes of a realm: from views and texts, and as texts with a character for each, in which form they go to the process.

/** Returns the bytes of an ArrayBuffer or a view of one. */
export const toBytes = (view: unknown): Uint8Array => {
  if (view instanceof ArrayBuffer) return new Uint8Array(view)
  if (ArrayBuffer.isView(view)) return new Uint8Array(view.buffer as ArrayBuffer, view.byteOffset, view.byteLength)
  throw new TypeError("Expected an ArrayBuffer or a view of one")
}

export const isBytes = (value: unknown): boolean => value instanceof ArrayBuffer || ArrayBuffer.isView(value)

/** A byte for each character. */
export const bytesOf = (latin: string): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(latin.length)
  for (let i = 0; i < latin.length; i++) bytes[i] = latin.charCodeAt(i)
  return bytes
}

/** A character for each byte. */
export const latinOf = (bytes: Uint8Array): string => {
  let latin = ""
  for (let index = 0; index < bytes.length; index += 4096)
    latin += String.fromCharCode(...bytes.subarray(index, index + 4096))
  return latin
}

export const utf8Of = (input: string): Uint8Array<ArrayBuffer> => {
  const text = input.toWellFormed()
  const out = new Uint8Array(text.length * 3)
  let n = 0
  for (let i = 0; i < text.length; i++) {
    const c = text.codePointAt(i)!
    if (c > 0xffff) i++
    if (c < 0x80) out[n++] = c
    else if (c < 0x800) {
      out[n++] = 0xc0 | (c >> 6)
      out[n++] = 0x80 | (c & 63)
    } else if (c < 0x10000) {
      out[n++] = 0xe0 | (c >> 12)
      out[n++] = 0x80 | ((c >> 6) & 63)
      out[n++] = 0x80 | (c & 63)
    } else {
      out[n++] = 0xf0 | (c >> 18)
      out[n++] = 0x80 | ((c >> 12) & 63)
      out[n++] = 0x80 | ((c >> 6) & 63)
      out[n++] = 0x80 | (c & 63)
    }
  }
  return out.slice(0, n)
}
