// Passwords at rest: scrypt, a memory-hard hash (decisions O9), with its parameters in the stored text.
import { randomBytes, scrypt, timingSafeEqual } from "node:crypto"
import { Effect } from "effect"

// 64 MiB and about 150 ms a hash; OWASP's recommendation for scrypt.
const cost = { N: 2 ** 16, r: 8, p: 1, maxmem: 128 * 1024 * 1024 }

const derive = (password: string, salt: Uint8Array) =>
  Effect.callback<Buffer>((resume) => {
    scrypt(password.normalize("NFKC"), salt, 32, cost, (error, key) =>
      resume(error === null ? Effect.succeed(key) : Effect.die(error))
    )
  })

export const minimumLength = 10
export const maximumLength = 256

export const hashPassword = Effect.fnUntraced(function* (password: string) {
  const salt = randomBytes(16)
  const key = yield* derive(password, salt)
  return `scrypt$${cost.N}$${cost.r}$${cost.p}$${salt.toString("base64url")}$${key.toString("base64url")}`
})

/** Takes the same time whether there is a stored hash or not. */
export const verifyPassword = Effect.fnUntraced(function* (password: string, stored: string | null) {
  const [, , , , salt = "", key = ""] = (stored ?? "").split("$")
  const expected = Buffer.from(key, "base64url")
  const actual = yield* derive(password, Buffer.from(salt, "base64url"))
  return stored !== null && expected.length === actual.length && timingSafeEqual(expected, actual)
})
