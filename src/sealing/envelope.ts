// What an encrypted value looks like: a mark, the id of its key, nonce, text and tag (decisions P11). Values of earlier releases have
// neither mark nor id; their nonce is random, so that one begins with the mark once in sixteen million: whoever opens tries both.
const MARK = Buffer.from("mr\u0001")
export const NONCE = 12
export const TAG = 16

/** So many bytes tell the id. */
export const HEADER_AT_MOST = MARK.length + 1 + 32

export const wrap = (id: string, sealed: Uint8Array): Buffer =>
  Buffer.concat([MARK, Buffer.from([id.length]), Buffer.from(id, "latin1"), sealed])

/** The id that a value, or its beginning, carries, and what follows it; undefined for one of an earlier release. */
export const unwrap = (value: Uint8Array): { readonly id: string; readonly sealed: Buffer } | undefined => {
  const bytes = Buffer.from(value)
  if (!bytes.subarray(0, MARK.length).equals(MARK)) return undefined
  const start = MARK.length + 1
  const end = start + (bytes[MARK.length] ?? 0)
  const id = bytes.subarray(start, end).toString("latin1")
  return bytes.length >= end && /^[A-Za-z0-9][\w-]{0,31}$/.test(id) ? { id, sealed: bytes.subarray(end) } : undefined
}
