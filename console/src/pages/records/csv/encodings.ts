// The encoding of a text file: found out, or chosen; and its text, decoded as one stream, so that no letter is cut where a piece ends.
// Bytes that are none of the encoding are a mistake, never another letter.

/** Encodings as people know them, by their names in the Encoding Standard. */
export const encodings = {
  "utf-8": "Unicode (UTF-8)",
  "utf-16le": "Unicode (UTF-16, Excel's “Unicode text”)",
  "utf-16be": "Unicode (UTF-16, big endian)",
  "windows-1252": "Western European (windows-1252)",
  "windows-1250": "Central European (windows-1250)",
  "windows-1251": "Cyrillic (windows-1251)",
  "windows-1253": "Greek (windows-1253)",
  "windows-1254": "Turkish (windows-1254)",
  "windows-1255": "Hebrew (windows-1255)",
  "windows-1256": "Arabic (windows-1256)",
  "windows-1257": "Baltic (windows-1257)",
  "windows-1258": "Vietnamese (windows-1258)",
  "windows-874": "Thai (windows-874)",
  macintosh: "Mac OS Roman",
  ibm866: "Cyrillic (DOS)",
  shift_jis: "Japanese (Shift_JIS)",
  "euc-jp": "Japanese (EUC-JP)",
  "euc-kr": "Korean (EUC-KR)",
  gb18030: "Simplified Chinese (GB 18030)",
  big5: "Traditional Chinese (Big5)"
} as const
export type Encoding = keyof typeof encodings

/** Legacy encodings by language, as browsers guess them for text that is not Unicode. */
const guesses: ReadonlyArray<readonly [RegExp, Encoding]> = [
  [/^(cs|hr|hu|pl|ro|sk|sl|bs|sq)\b/i, "windows-1250"],
  [/^(ru|uk|be|bg|mk|sr|kk|ky|mn)\b/i, "windows-1251"],
  [/^el\b/i, "windows-1253"],
  [/^(tr|az)\b/i, "windows-1254"],
  [/^(he|iw)\b/i, "windows-1255"],
  [/^(ar|fa|ur)\b/i, "windows-1256"],
  [/^(lt|lv|et)\b/i, "windows-1257"],
  [/^vi\b/i, "windows-1258"],
  [/^th\b/i, "windows-874"],
  [/^ja\b/i, "shift_jis"],
  [/^ko\b/i, "euc-kr"],
  [/^zh-(TW|HK|MO|Hant)\b/i, "big5"],
  [/^zh\b/i, "gb18030"]
]

export type Bytes = AsyncIterable<Uint8Array>

/** Its bytes as they are read; not every browser lets a stream be iterated. */
export async function* bytesOf(file: Blob): Bytes {
  const reader = file.stream().getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel()
  }
}

const NAMED: ReadonlyArray<readonly [ReadonlyArray<number>, Encoding]> = [
  [[0xef, 0xbb, 0xbf], "utf-8"],
  [[0xff, 0xfe], "utf-16le"],
  [[0xfe, 0xff], "utf-16be"]
]
const HEAD = 4096

/** Detects UTF-16 without a byte order mark: every second byte of most letters is zero. */
const ofZeros = (head: Uint8Array): Encoding | undefined => {
  const zeros = [0, 0]
  for (const [at, byte] of head.entries()) if (byte === 0) zeros[at % 2]!++
  const [even, odd] = zeros as [number, number]
  if (Math.max(even, odd) * 5 < head.length) return undefined
  return odd > even ? "utf-16le" : "utf-16be"
}

/**
 * Detects the encoding: by its byte order mark, by its zeros, or because all of it is valid UTF-8; otherwise by the language.
 * @param language of the reader, as `navigator.language` names it
 */
export const encodingOf = async (bytes: Bytes, language: string): Promise<Encoding> => {
  const decoder = new TextDecoder("utf-8", { fatal: true })
  let head: Uint8Array | undefined
  try {
    for await (const piece of bytes) {
      if (piece.length === 0) continue
      if (head === undefined) {
        head = piece.subarray(0, HEAD)
        const firstBytes = head
        const marked =
          NAMED.find(([mark]) => mark.every((byte, at) => firstBytes[at] === byte))?.[1] ?? ofZeros(firstBytes)
        if (marked !== undefined) return marked
      }
      decoder.decode(piece, { stream: true })
    }
    decoder.decode()
    return "utf-8"
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return guesses.find(([languages]) => languages.test(language))?.[1] ?? "windows-1252"
  }
}

class NotEncoded extends Error {
  constructor(encoding: Encoding) {
    super(`It is not in the encoding ${encodings[encoding]}. Choose another one.`)
  }
}

/** The text, piece by piece, without its mark. Fails where the bytes are none of the encoding. */
export async function* textOf(bytes: Bytes, encoding: Encoding): AsyncGenerator<string, void> {
  const decoder = new TextDecoder(encoding, { fatal: true })
  const decoded = (piece?: Uint8Array) => {
    try {
      return piece === undefined ? decoder.decode() : decoder.decode(piece, { stream: true })
    } catch (error) {
      throw error instanceof TypeError ? new NotEncoded(encoding) : error
    }
  }
  for await (const piece of bytes) {
    const text = decoded(piece)
    if (text !== "") yield text
  }
  const remainingText = decoded()
  if (remainingText !== "") yield remainingText
}
