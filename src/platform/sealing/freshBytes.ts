// Draws random bytes for many credentials at once from the system: a draw takes some 10 µs, however many bytes it brings. Bytes that were
// given out are wiped here, so that none is given twice and nobody who reads this memory later finds a credential.
import { randomFillSync } from "node:crypto"

/** Length of one credential: 256 bits. */
const BYTES = 32
const AT_ONCE = 128

const drawn = Buffer.alloc(BYTES * AT_ONCE)
let next = drawn.length

/** Random text of one credential, in base64url. */
export const freshText = (): string => {
  if (next === drawn.length) {
    randomFillSync(drawn)
    next = 0
  }
  const text = drawn.toString("base64url", next, next + BYTES)
  drawn.fill(0, next, next + BYTES)
  next += BYTES
  return text
}
