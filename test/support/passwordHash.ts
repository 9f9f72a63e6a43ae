// The stored hash of a password of the tests: hashing is slow on purpose, 0.2 s of a processor, so each password is hashed once in a process.
import { Effect } from "effect"
import { hashPassword } from "../../src/domain/accounts/passwords.ts"

const hashes = new Map<string, string>()

export const passwordHash = Effect.fnUntraced(function* (password: string) {
  const hash = hashes.get(password) ?? (yield* hashPassword(password))
  hashes.set(password, hash)
  return hash
})
