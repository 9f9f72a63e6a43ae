// Format of an encrypted value: a mark, the id of its key, nonce, text and tag (decisions P11). Values of earlier releases have neither
// mark nor id. Their nonce is random, so hardly any looks like a mark: opening a value tries both.
const MARK = Buffer.from("mr\u0001")
const ID = 8
export const NONCE = 12
export const TAG = 16

/** Bytes that hold mark and id. */
export const HEADER = MARK.length + ID

export const wrap = (id: string, sealed: Uint8Array): Buffer => Buffer.concat([MARK, Buffer.from(id, "latin1"), sealed])

/** Id that a value, or its beginning, carries, and what follows it; undefined for one of an earlier release. */
export const unwrap = (value: Uint8Array): { readonly id: string; readonly sealed: Buffer } | undefined => {
  const bytes = Buffer.from(value)
  const id = bytes.subarray(MARK.length, HEADER).toString("latin1")
  const marked = bytes.subarray(0, MARK.length).equals(MARK) && /^[0-9a-f]{8}$/.test(id)
  return marked ? { id, sealed: bytes.subarray(HEADER) } : undefined
}
