// Registers the keys that the database needs (decisions P4, P11): each key that a process ever began to encrypt with, by its fingerprint,
// until it is retired. `key_fingerprint` names the key of values without an id, which earlier releases wrote.
import { Effect, Schema } from "effect"
import { idOf } from "../config/KeyRing.ts"
import { REGISTER_LOCK } from "../sql/advisoryLocks.ts"
import { rowsOf } from "../sql/rows.ts"
import { Sql } from "../sql/Sql.ts"
import type { Secrets } from "./Secrets.ts"

const FIRST = "key_fingerprint"
const PREFIX = "secret_key/"

/** Error of missing keys: names them, never shows them. */
class KeyMismatch extends Schema.TaggedError<KeyMismatch>()("KeyMismatch", {
  missing: Schema.Array(Schema.String)
}) {
  override get message() {
    const keys = `${this.missing.length === 1 ? "key" : "keys"} ${this.missing.join(", ")}`
    return `SECRET_KEY is not the key that this database was set up with: it lacks the ${keys}. Start with that key as well; what it encrypts cannot be read with another.`
  }
}

interface Needed {
  readonly id: string
  readonly fingerprint: string
}

type Ring = Secrets["Service"]["ring"]

const InstallationRow = Schema.Struct({ name: Schema.String, value: Schema.String })

const read = Effect.gen(function* () {
  const sql = yield* Sql
  const rows = yield* rowsOf(InstallationRow)(sql`
    SELECT name, value FROM installation WHERE name = ${FIRST} OR starts_with(name, ${PREFIX}) ORDER BY name`)
  const firstFingerprint = rows.find(({ name }) => name === FIRST)?.value
  const named = rows.filter(({ name }) => name !== FIRST).map(({ name }) => name.slice(PREFIX.length))
  const fingerprints = new Set(firstFingerprint === undefined ? named : [...named, firstFingerprint])
  return {
    first: firstFingerprint,
    needed: [...fingerprints].map((fingerprint): Needed => ({ id: idOf(fingerprint), fingerprint }))
  }
})

/** Runs one registration after another, so that two processes that begin with different keys do not both find the register empty. */
const withRegisterLock = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Sql, (sql) =>
    sql.withTransaction(Effect.andThen(sql`SELECT pg_advisory_xact_lock(${REGISTER_LOCK})`, effect))
  )

/** Keys that the database needs, and the id of the one whose values carry none. */
export const needed = Effect.map(read, ({ first, needed }) => ({
  needed,
  unmarked: needed.find(({ fingerprint }) => fingerprint === first)?.id
}))

/** Checks that the ring of a starting process holds all keys that are needed, and registers the one that it encrypts with. */
export const enter = Effect.fnUntraced(function* (ring: Ring) {
  const sql = yield* Sql
  const [newest] = ring
  const { first, needed } = yield* read
  const missing = needed.filter(({ fingerprint }) => !ring.some((key) => key.fingerprint === fingerprint))
  if (missing.length > 0) return yield* new KeyMismatch({ missing: missing.map(({ id }) => id) })
  if (first === undefined) yield* sql`INSERT INTO installation (name, value) VALUES (${FIRST}, ${newest.fingerprint})`
  yield* sql`
    INSERT INTO installation (name, value) VALUES (${PREFIX + newest.fingerprint}, ${newest.id})
    ON CONFLICT (name) DO NOTHING`
}, withRegisterLock)

/** Removes a key from the register: processes start without it from then on. */
export const leave = Effect.fnUntraced(function* (fingerprint: string, ring: Ring) {
  const sql = yield* Sql
  yield* sql`DELETE FROM installation WHERE name = ${PREFIX + fingerprint}`
  yield* sql`
    UPDATE installation SET value = ${ring[0].fingerprint} WHERE name = ${FIRST} AND value = ${fingerprint}`
}, withRegisterLock)
