// Passwords at rest: scrypt, a memory-hard hash (decisions O9), verified with the parameters of the stored text and rehashed with today's
// if they differ. Every derivation takes a slot (passwordSlots.ts).
import { randomBytes, scrypt, timingSafeEqual } from "node:crypto"
import { Effect } from "effect"
import { normalForm } from "../../platform/text/normalForm.ts"
import { inBackgroundPasswordSlot, inPasswordSlot, type Turn } from "./passwordSlots.ts"

interface Cost {
  readonly N: number
  readonly r: number
  readonly p: number
}

// 64 MiB and about 150 ms a hash; OWASP's recommendation for scrypt.
const today: Cost = { N: 2 ** 16, r: 8, p: 1 }

const KEY_BYTES = 32
/** Maximum cost that a stored hash may demand: four times today's memory, and four times its work. */
const MEMORY_MAX = 256 * 1024 * 1024
const workOf = ({ N, r, p }: Cost) => N * r * p
const WORK_MAX = 4 * workOf(today)
const memoryOf = ({ N, r, p }: Cost) => 128 * r * (N + p)

const derive = (password: string, salt: Uint8Array, cost: Cost) =>
  Effect.callback<Buffer>((resume) => {
    const options = { ...cost, maxmem: memoryOf(cost) + 1024 * 1024 }
    scrypt(normalForm(password, "NFKC"), salt, KEY_BYTES, options, (error, key) =>
      resume(error === null ? Effect.succeed(key) : Effect.die(error))
    )
  })

export const minimumLength = 10
export const maximumLength = 256

interface Stored {
  readonly cost: Cost
  readonly salt: Buffer
  readonly key: Buffer
}

/** Parses a stored hash; undefined if this service did not write it. Checks its cost before anything is derived. */
export const readStored = (text: string): Stored | undefined => {
  const match = /^scrypt\$(\d{1,9})\$(\d{1,4})\$(\d{1,4})\$([\w-]{11,88})\$([\w-]{43})$/.exec(text)
  if (match === null) return undefined
  const [N, r, p] = [Number(match[1]), Number(match[2]), Number(match[3])]
  const cost = { N, r, p }
  const powerOfTwo = N > 1 && (N & (N - 1)) === 0
  if (!powerOfTwo || r < 1 || p < 1 || memoryOf(cost) > MEMORY_MAX || workOf(cost) > WORK_MAX) return undefined
  return { cost, salt: Buffer.from(match[4]!, "base64url"), key: Buffer.from(match[5]!, "base64url") }
}

/** Made with other parameters than today's. */
export const isDated = (text: string): boolean => {
  const cost = readStored(text)?.cost
  return cost === undefined || cost.N !== today.N || cost.r !== today.r || cost.p !== today.p
}

const hash = Effect.fnUntraced(function* (password: string) {
  const salt = randomBytes(16)
  const key = yield* derive(password, salt, today)
  return `scrypt$${today.N}$${today.r}$${today.p}$${salt.toString("base64url")}$${key.toString("base64url")}`
})

/** The operator's and the service's own. */
export const hashPassword = (password: string) => inBackgroundPasswordSlot(hash(password))

export const hashPasswordInTurn = (password: string, turn: Turn) => inPasswordSlot(turn)(hash(password))

/** Remaining work of a cheaper hash up to today's cost, in powers of two: response times do not reveal old passwords. */
const restOf = (cost: Cost): ReadonlyArray<Cost> => {
  const remainingCosts: Array<Cost> = []
  let remainingWork = Math.floor((workOf(today) - workOf(cost)) / today.r)
  for (let N = today.N; N >= 2 ** 10; N /= 2)
    if (remainingWork >= N) {
      remainingCosts.push({ N, r: today.r, p: 1 })
      remainingWork -= N
    }
  return remainingCosts
}

/** Takes the same time whether there is a stored hash or not, and whatever its parameters, dearer ones than today's excepted. */
export const verifyPassword = Effect.fnUntraced(function* (password: string, stored: string | null, turn: Turn) {
  const read = stored === null ? undefined : readStored(stored)
  if (stored !== null && read === undefined) yield* Effect.logError("a stored password cannot be read")
  const { cost, salt, key } = read ?? { cost: today, salt: Buffer.alloc(16), key: Buffer.alloc(KEY_BYTES) }
  const actual = yield* inPasswordSlot(turn)(
    Effect.tap(derive(password, salt, cost), () =>
      Effect.forEach(restOf(cost), (rest) => derive(password, salt, rest), { discard: true })
    )
  )
  return timingSafeEqual(key, actual) && read !== undefined
})
