// A process whose SECRET_KEY does not fit the database refuses to start and says so (decisions P4).
import { Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Secrets } from "../Secrets.ts"

export class KeyMismatch extends Schema.TaggedError<KeyMismatch>()("KeyMismatch", {}) {
  override get message() {
    return "SECRET_KEY is not the key that this database was set up with. Start with that key; what it encrypts cannot be read with another."
  }
}

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { fingerprint } = yield* Secrets
    const [row] = yield* sql<{ value: string }>`
      INSERT INTO installation AS i (name, value) VALUES ('key_fingerprint', ${fingerprint})
      ON CONFLICT (name) DO UPDATE SET value = i.value RETURNING value`
    if (row?.value !== fingerprint) return yield* new KeyMismatch()
  })
)
