// The `Content-Disposition` of a file that is kept rather than shown (RFC 6266).
import { fileName } from "./fileName.ts"

const inEscapes = (char: string) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`

/** `attachment` with the name in both forms. */
export const attachmentNamed = (kept: string): string => {
  // Names that earlier releases have kept are as they came.
  const name = fileName(kept)
  const ascii = name.replace(/[^\x20-\x7e]|["\\]/g, "_")
  const extended = encodeURIComponent(name).replace(/['()*]/g, inEscapes)
  return `attachment; filename="${ascii}"; filename*=UTF-8''${extended}`
}
