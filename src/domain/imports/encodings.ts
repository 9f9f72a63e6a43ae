// Encodings of a text file: detected, or chosen. Bytes that are none of the encoding are a mistake, never another letter.

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

const MARKS: ReadonlyArray<readonly [ReadonlyArray<number>, Encoding]> = [
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
  if (head.length === 0 || Math.max(even, odd) * 5 < head.length) return undefined
  return odd > even ? "utf-16le" : "utf-16be"
}

const isUtf8 = (bytes: Uint8Array, isLast: boolean): boolean => {
  try {
    // Where more follows, a letter that the end cuts is no mistake.
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: !isLast })
    return true
  } catch {
    return false
  }
}

const isMarkedAs = (bytes: Uint8Array, mark: ReadonlyArray<number>) => mark.every((byte, at) => bytes[at] === byte)

/**
 * Detects the encoding: by its byte order mark, by its zeros, or because the bytes are valid UTF-8; otherwise by the language.
 * @param language of the reader, as `navigator.language` names it
 * @param isLast true if the bytes are the complete file
 */
export const detectEncoding = (bytes: Uint8Array, language: string, isLast: boolean): Encoding =>
  MARKS.find(([mark]) => isMarkedAs(bytes, mark))?.[1] ??
  ofZeros(bytes.subarray(0, HEAD)) ??
  (isUtf8(bytes, isLast) ? "utf-8" : (guesses.find(([languages]) => languages.test(language))?.[1] ?? "windows-1252"))

/** Number of bytes of the byte order mark with which a file of the encoding begins; 0 without one. */
export const markLength = (bytes: Uint8Array, encoding: Encoding): number =>
  MARKS.find(([mark, marked]) => marked === encoding && isMarkedAs(bytes, mark))?.[0].length ?? 0
