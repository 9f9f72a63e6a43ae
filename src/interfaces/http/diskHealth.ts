// The disk of the embedded parts, which fill it: Postgres and Temporal of `npm start` keep what they have in DATA_DIR. Parts of one's
// own are elsewhere, and somebody else's to watch.
import { access, statfs } from "node:fs/promises"
import { join } from "node:path"
import { Effect } from "effect"

const GIB = 1024 ** 3
/** Postgres stops when its log finds no room; there is time to make some. */
const LOW = GIB

/** Written by the launcher while the part runs. */
const records = ["postgres", "temporal"].map((part) => join("run", `${part}.json`))

const exists = (path: string) => Effect.isSuccess(Effect.tryPromise(() => access(path)))

/** Undefined where nothing of it is kept here. */
export const diskHealth = Effect.fnUntraced(function* (dataDir: string, low = LOW) {
  const recordPresence = yield* Effect.forEach(records, (record) => exists(join(dataDir, record)))
  if (!recordPresence.includes(true)) return undefined
  const { bavail, blocks, bsize } = yield* Effect.orDie(Effect.tryPromise(() => statfs(dataDir)))
  const freeBytes = bavail * bsize
  const [left, all] = [freeBytes, blocks * bsize].map((bytes) => `${(bytes / GIB).toFixed(1)} GiB`)
  return { ok: freeBytes >= low, detail: `${left} of ${all} free below ${dataDir}` }
})
