// Schema and rights before the service works (issue "isolation"). Three ways: the embedded Postgres, by its superuser, who makes the
// roles; a Postgres with an owner's address besides the service's; and one with a single role, which does everything.
import { Config, Effect, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { layerPool } from "./Client.ts"
import { grantTo } from "./grants.ts"
import { migrate } from "./Migrator.ts"
import { makeRoles, OWNER } from "./roles.ts"

/** One connection, so that `SET ROLE` holds for all that follows. */
const onePool = (url: Redacted.Redacted) => layerPool({ url, maxConnections: 1, applicationName: "millrace-migrate" })

const whoIn = (url: Redacted.Redacted) => {
  const { password, username } = new URL(Redacted.value(url))
  return { name: decodeURIComponent(username), password: decodeURIComponent(password) }
}

/** The embedded Postgres: roles by its superuser, everything else as the owner. */
export const prepareEmbedded = Effect.fnUntraced(function* (superuser: Redacted.Redacted, service: Redacted.Redacted) {
  const who = whoIn(service)
  const work = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* makeRoles(who)
    yield* sql.unsafe(`SET ROLE ${OWNER}`)
    const done = yield* migrate
    yield* grantTo(who.name)
    return done
  })
  return yield* work.pipe(Effect.provide(onePool(superuser)))
})

/** A Postgres whose schema is owned by one role and worked on by another; or one role for both. */
export const prepareOwned = Effect.fnUntraced(function* (owner: Redacted.Redacted, service: Redacted.Redacted) {
  const { name } = whoIn(service)
  const work = name === whoIn(owner).name ? migrate : Effect.tap(migrate, () => grantTo(name))
  return yield* work.pipe(Effect.provide(onePool(owner)))
})

/** What `DATABASE_SUPERUSER_URL` (by the launcher) and `DATABASE_OWNER_URL` (by the operator) ask for. */
export const prepare = Effect.gen(function* () {
  const service = yield* Config.Redacted("DATABASE_URL")
  const superuser = yield* Config.option(Config.Redacted("DATABASE_SUPERUSER_URL"))
  if (Option.isSome(superuser)) return yield* prepareEmbedded(superuser.value, service)
  const owner = yield* Config.Redacted("DATABASE_OWNER_URL").pipe(Config.withDefault(service))
  return yield* prepareOwned(owner, service)
})
