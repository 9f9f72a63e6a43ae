// Random bytes for credentials, drawn from the system for many of them at once: a draw takes some 10 µs, however much it brings. What is
// given out is wiped here, so that nothing is given twice and nobody who reads this memory later finds what somebody holds.
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
